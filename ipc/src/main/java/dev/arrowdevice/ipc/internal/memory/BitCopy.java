package dev.arrowdevice.ipc.internal.memory;

import dev.arrowdevice.spi.HostMemory;

/** Copies bits that don't begin at whole bytes. */
public final class BitCopy {
    private static final int CHUNK = 4096;

    private BitCopy() {}

    /** The bytes that a number of bits needs. */
    public static long byteSize(long bits) {
        return (bits >>> 3) + ((bits & 7) == 0 ? 0 : 1);
    }

    /** Copies bits to the beginning of a byte of the target. Bits behind the last one, in its byte, become zero. */
    public static void toByte(HostMemory source, long fromBit, HostMemory target, long toByte, long count) {
        int shift = (int) (fromBit & 7);
        long from = fromBit >>> 3;
        long bytes = byteSize(count);
        if (shift == 0) {
            source.copyTo(from, target, toByte, bytes);
        } else {
            shifted(source, from, byteSize(shift + count), shift, target, toByte, bytes);
        }
        int rest = (int) (count & 7);
        if (rest != 0) {
            long last = toByte + bytes - 1;
            target.putByte(last, (byte) (target.getByte(last) & (1 << rest) - 1));
        }
    }

    private static void shifted(
            HostMemory source, long from, long available, int shift, HostMemory target, long to, long bytes) {
        byte[] in = new byte[(int) Math.min(CHUNK, available) + 1];
        byte[] out = new byte[(int) Math.min(CHUNK, bytes)];
        for (long done = 0; done < bytes; done += out.length) {
            int count = (int) Math.min(out.length, bytes - done);
            int read = (int) Math.min(count + 1, available - done);
            source.get(from + done, in, 0, read);
            for (int i = 0; i < count; i++) {
                int high = i + 1 < read ? in[i + 1] & 0xFF : 0;
                out[i] = (byte) ((in[i] & 0xFF) >>> shift | high << (8 - shift));
            }
            target.put(to + done, out, 0, count);
        }
    }

    /** Copies bits to any bit of the target, whose bits there must be zero. */
    public static void append(HostMemory source, long fromBit, HostMemory target, long toBit, long count) {
        if ((toBit & 7) == 0) {
            toByte(source, fromBit, target, toBit >>> 3, count);
            return;
        }
        for (long i = 0; i < count; i++) {
            if (isSet(source, fromBit + i)) {
                set(target, toBit + i);
            }
        }
    }

    /** Sets bits of the target, whose bits there must be zero. */
    public static void setAll(HostMemory target, long toBit, long count) {
        long at = toBit;
        long end = toBit + count;
        while (at < end && (at & 7) != 0) {
            set(target, at++);
        }
        long bytes = end - at >>> 3;
        target.fill(at >>> 3, bytes, (byte) 0xFF);
        for (at += bytes << 3; at < end; at++) {
            set(target, at);
        }
    }

    private static void set(HostMemory memory, long bit) {
        memory.putByte(bit >>> 3, (byte) (memory.getByte(bit >>> 3) | 1 << (bit & 7)));
    }

    /** A bit. */
    public static boolean isSet(HostMemory memory, long bit) {
        return (memory.getByte(bit >>> 3) >>> (bit & 7) & 1) != 0;
    }
}
