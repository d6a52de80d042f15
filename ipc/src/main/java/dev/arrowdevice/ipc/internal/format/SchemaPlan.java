package dev.arrowdevice.ipc.internal.format;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.Field;
import dev.arrowdevice.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A schema, with the dictionaries of its fields.
 *
 * @param schema what users see
 * @param columns a plan for each field
 * @param dictionaries all dictionaries by their ids; one that is nested in another comes before it
 */
public record SchemaPlan(Schema schema, List<FieldPlan> columns, Map<Long, DictionaryPlan> dictionaries) {
    /** Numbers the dictionaries of a schema that is to be written. */
    public static SchemaPlan of(Schema schema) {
        Map<Long, DictionaryPlan> dictionaries = new LinkedHashMap<>();
        return new SchemaPlan(schema, plans(schema.fields(), dictionaries), dictionaries);
    }

    private static List<FieldPlan> plans(List<Field> fields, Map<Long, DictionaryPlan> dictionaries) {
        List<FieldPlan> plans = new ArrayList<>(fields.size());
        for (Field field : fields) {
            plans.add(plan(field.type(), dictionaries));
        }
        return List.copyOf(plans);
    }

    private static FieldPlan plan(ArrowType type, Map<Long, DictionaryPlan> dictionaries) {
        if (!(type.storageType() instanceof DictionaryType encoded)) {
            return new FieldPlan(type, plans(type.storageType().children(), dictionaries), null);
        }
        FieldPlan values = plan(encoded.valueType(), dictionaries);
        DictionaryPlan dictionary = new DictionaryPlan(dictionaries.size(), values, nested(values));
        dictionaries.put(dictionary.id(), dictionary);
        return new FieldPlan(type, List.of(), dictionary);
    }

    /** The dictionaries that values refer to directly, not through one of them. */
    static List<DictionaryPlan> nested(FieldPlan values) {
        List<DictionaryPlan> found = new ArrayList<>();
        collect(values, found);
        return List.copyOf(found);
    }

    private static void collect(FieldPlan plan, List<DictionaryPlan> found) {
        DictionaryPlan dictionary = plan.dictionary();
        if (dictionary != null) {
            found.add(dictionary);
        }
        plan.children().forEach(child -> collect(child, found));
    }
}
