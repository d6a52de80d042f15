package dev.arrowdevice.ipc.internal.format;

import java.util.List;

/**
 * A dictionary of a schema. Several fields may refer to the same one.
 *
 * @param id the number that messages call it by
 * @param values the type of its values
 * @param nested the dictionaries that its values refer to
 */
public record DictionaryPlan(long id, FieldPlan values, List<DictionaryPlan> nested) {}
