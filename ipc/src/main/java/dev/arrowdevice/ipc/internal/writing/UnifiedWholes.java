package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.writing.DictionaryPolicy.Output;
import dev.arrowdevice.spi.ArrayData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, structs and the like: a dictionary that a batch had before is found as a whole, and any other is added as a whole. */
final class UnifiedWholes implements FileDictionary {
    private final DictionaryPlan plan;
    private final List<Part> parts = new ArrayList<>();
    private Part last;
    private long size;

    private long @Nullable [] map;

    /** A dictionary of a batch, and where it begins in that of the file. */
    private record Part(SeenDictionary values, long base) {}

    private UnifiedWholes(DictionaryPlan plan, SeenDictionary first) {
        this.plan = plan;
        this.last = new Part(first, 0);
        this.size = first.values().getLength();
        parts.add(last);
    }

    static UnifiedWholes begin(DictionaryPlan plan, ArrayData values, Output output) {
        output.write(plan, false, values);
        return new UnifiedWholes(plan, new SeenDictionary(values));
    }

    @Override
    public void next(ArrayData values, Output output) {
        if (last.values().isSame(values)) {
            return;
        }
        Part part = find(values);
        if (part == null) {
            output.write(plan, true, values);
            part = new Part(new SeenDictionary(values), size);
            parts.add(part);
            size += values.getLength();
        }
        last = part;
        map = part.base() == 0 ? null : shifted(part.base(), Math.toIntExact(values.getLength()));
    }

    private @Nullable Part find(ArrayData values) {
        for (Part part : parts) {
            if (part.values().isEqual(values)) {
                return part;
            }
        }
        return null;
    }

    private static long[] shifted(long base, int count) {
        long[] map = new long[count];
        Arrays.setAll(map, i -> base + i);
        return map;
    }

    @Override
    public long @Nullable [] map() {
        return map;
    }

    @Override
    public void close() {
        parts.forEach(part -> part.values().close());
        parts.clear();
    }
}
