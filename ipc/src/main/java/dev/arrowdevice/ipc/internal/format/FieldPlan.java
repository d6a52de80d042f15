package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.ArrowType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field as messages have it: its type, and which dictionary it refers to.
 *
 * @param type the type as users see it
 * @param children those of the storage type; none for a dictionary-encoded field, whose values have them
 * @param dictionary the dictionary of a dictionary-encoded field
 */
public record FieldPlan(
        ArrowType type, List<FieldPlan> children, @Nullable DictionaryPlan dictionary) {}
