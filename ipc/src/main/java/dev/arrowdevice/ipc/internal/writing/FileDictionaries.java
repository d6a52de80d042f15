package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.spi.ArrayData;
import java.util.HashMap;
import java.util.Map;

/**
 * In a file, a dictionary is written once, and can only be continued. What batches have in their dictionaries is put together
 * in one, and their indices change.
 */
final class FileDictionaries extends DictionaryPolicy {
    private final Map<Long, FileDictionary> dictionaries = new HashMap<>();

    @Override
    void visit(DictionaryPlan plan, ArrayData values, IndexMaps maps, Output output) {
        FileDictionary dictionary = dictionaries.get(plan.id());
        if (dictionary == null) {
            dictionaries.put(
                    plan.id(),
                    ValueKeys.areOf(plan)
                            ? UnifiedValues.begin(plan, values, output)
                            : UnifiedWholes.begin(plan, values, output));
            return;
        }
        dictionary.next(values, output);
        if (dictionary.map() != null) {
            maps.put(plan, dictionary.map());
        }
    }

    @Override
    public void close() {
        dictionaries.values().forEach(FileDictionary::close);
        dictionaries.clear();
    }
}
