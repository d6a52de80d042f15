package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.spi.ArrayData;
import java.util.HashMap;
import java.util.Map;

/** In a stream, a dictionary that differs from the one before is written anew, or what it adds to that one. */
final class StreamDictionaries extends DictionaryPolicy {
    private final boolean deltas;
    private final Map<Long, SeenDictionary> written = new HashMap<>();

    StreamDictionaries(boolean deltas) {
        this.deltas = deltas;
    }

    @Override
    void visit(DictionaryPlan dictionary, ArrayData values, IndexMaps maps, Output output) {
        SeenDictionary before = written.get(dictionary.id());
        // Values that refer to other dictionaries are written anew: those may have changed.
        boolean isPlain = dictionary.nested().isEmpty();
        if (before != null && (before.isSame(values) || (isPlain && before.isEqual(values)))) {
            return;
        }
        if (before != null && deltas && isPlain && before.isPrefixOf(values)) {
            long known = before.values().getLength();
            output.write(dictionary, true, values.slice(known, values.getLength() - known));
        } else {
            output.write(dictionary, false, values);
        }
        written.put(dictionary.id(), new SeenDictionary(values));
        if (before != null) {
            before.close();
        }
    }

    @Override
    public void close() {
        written.values().forEach(SeenDictionary::close);
        written.clear();
    }
}
