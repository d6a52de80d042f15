package dev.arrowdevice.internal.operations;

import dev.arrowdevice.Device;
import dev.arrowdevice.RunEndEncodedType;
import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.DeviceBuffer;
import dev.arrowdevice.spi.HostMemory;
import java.util.Arrays;

/** Selected elements of run-end encoded arrays. Elements that follow each other and are of one run stay in one. */
final class RunGather {
    private long[] runs = new long[16];
    private long[] ends = new long[16];
    private int count;

    private RunGather() {}

    static ArrayData gather(Gather gather, ArrayData source, Selection selection) {
        RunGather result = new RunGather();
        result.collect(source, selection);
        requireRoom(source, selection.length(), gather.operation);
        RunEndEncodedType type = (RunEndEncodedType) source.getType().storageType();
        ArrayData ends = runEnds(gather.output, source.child(0), result.ends, result.count);
        Selection ofRuns = ChildSelections.ofPositions(result.runs, result.count, selection.hasMissing());
        ArrayData values = gather.gather(source.child(1), ofRuns, type.values().nullable());
        return gather.node(source, selection, 0, new DeviceBuffer[0], new ArrayData[] {ends, values});
    }

    /** Refuses a length that the run ends can't count. */
    static void requireRoom(ArrayData source, long length, String operation) {
        if (length > Runs.maxEnd(source.getType())) {
            throw new IllegalArgumentException(operation + ": the result has " + length + " elements, more than "
                    + Brief.type(source.getType()) + " can count; decode or cast it first");
        }
    }

    private void collect(ArrayData source, Selection selection) {
        Runs from = new Runs(source);
        Cursor cursor = selection.cursor();
        long at = 0;
        long run = -1;
        while (cursor.next()) {
            if (cursor.isRun()) {
                long last = cursor.start + cursor.length;
                for (long element = cursor.start; element < last; ) {
                    run = from.find(element, run);
                    long end = Math.min(from.end(run), last);
                    at += end - element;
                    add(run, at);
                    element = end;
                }
            } else {
                for (int i = 0; i < cursor.count; i++) {
                    long element = cursor.positions[i];
                    if (element >= 0) {
                        run = from.find(element, run);
                    }
                    add(element < 0 ? Cursor.MISSING : run, ++at);
                }
            }
        }
    }

    private void add(long run, long end) {
        if (count > 0 && runs[count - 1] == run) {
            ends[count - 1] = end;
            return;
        }
        if (count == runs.length) {
            runs = Arrays.copyOf(runs, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
        }
        runs[count] = run;
        ends[count++] = end;
    }

    /** An array of run ends. */
    static ArrayData runEnds(Output output, ArrayData like, long[] ends, int count) {
        int width = like.getType().layout().bitWidth() / 8;
        DeviceBuffer buffer = output.allocate((long) count * width);
        HostMemory memory = buffer.memory();
        for (int i = 0; i < count; i++) {
            switch (width) {
                case 2:
                    memory.putShort(2L * i, (short) ends[i]);
                    break;
                case 4:
                    memory.putInt(4L * i, (int) ends[i]);
                    break;
                default:
                    memory.putLong(8L * i, ends[i]);
            }
        }
        return new ArrayData(
                like.getType(), Device.CPU, count, 0, 0, new DeviceBuffer[] {null, buffer}, new ArrayData[0], null);
    }
}
