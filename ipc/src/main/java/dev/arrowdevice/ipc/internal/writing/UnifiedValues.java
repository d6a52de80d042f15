package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.writing.DictionaryPolicy.Output;
import dev.arrowdevice.spi.ArrayData;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Values that can be compared one by one: each is in the file once, as far as batches have them next to each other. */
final class UnifiedValues implements FileDictionary {
    private final DictionaryPlan plan;
    private long size;
    /** The index of each value, and of null; null until there is a second dictionary. */
    private @Nullable Map<@Nullable Object, Long> indices;

    private SeenDictionary last;

    private long @Nullable [] map;

    private UnifiedValues(DictionaryPlan plan, SeenDictionary first) {
        this.plan = plan;
        this.last = first;
        this.size = first.values().getLength();
    }

    static UnifiedValues begin(DictionaryPlan plan, ArrayData values, Output output) {
        output.write(plan, false, values);
        return new UnifiedValues(plan, new SeenDictionary(values));
    }

    @Override
    public void next(ArrayData values, Output output) {
        if (last.isSame(values) || last.isEqual(values)) {
            return;
        }
        unify(values, output);
        SeenDictionary before = last;
        last = new SeenDictionary(values);
        before.close();
    }

    /** Writes the values from the first to the last that the file lacks, and finds the index of each value. */
    private void unify(ArrayData values, Output output) {
        if (indices == null) {
            Map<@Nullable Object, Long> found = new HashMap<>();
            add(last.values(), 0, found);
            indices = found;
        }
        long[] found = new long[Math.toIntExact(values.getLength())];
        int from = -1;
        int to = -1;
        try (ValueKeys keys = ValueKeys.of(values)) {
            for (int i = 0; i < found.length; i++) {
                Long known = indices.get(keys.key(i));
                found[i] = known == null ? -1 : known;
                if (known == null) {
                    from = from < 0 ? i : from;
                    to = i;
                }
            }
        }
        if (from >= 0) {
            ArrayData added = values.slice(from, to - from + 1L);
            output.write(plan, true, added);
            for (int i = from; i <= to; i++) {
                found[i] = found[i] < 0 ? size + i - from : found[i];
            }
            add(added, size, indices);
            size += added.getLength();
        }
        map = isIdentity(found) ? null : found;
    }

    private static void add(ArrayData values, long base, Map<@Nullable Object, Long> indices) {
        try (ValueKeys keys = ValueKeys.of(values)) {
            for (long i = 0; i < values.getLength(); i++) {
                indices.putIfAbsent(keys.key(i), base + i);
            }
        }
    }

    private static boolean isIdentity(long[] map) {
        for (int i = 0; i < map.length; i++) {
            if (map[i] != i) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long @Nullable [] map() {
        return map;
    }

    @Override
    public void close() {
        last.close();
    }
}
