package dev.arrowdevice.internal.type;

import dev.arrowdevice.spi.BufferKind;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/** The layouts of the columnar format. */
public final class Layouts {
    public static final Layout EMPTY = new Layout(List.of(), 0, false);
    public static final Layout VALIDITY_ONLY = of(BufferKind.VALIDITY);
    public static final Layout VARIABLE32 = of(BufferKind.VALIDITY, BufferKind.OFFSETS32, BufferKind.VARIABLE);
    public static final Layout VARIABLE64 = of(BufferKind.VALIDITY, BufferKind.OFFSETS64, BufferKind.VARIABLE);
    public static final Layout LIST32 = of(BufferKind.VALIDITY, BufferKind.OFFSETS32);
    public static final Layout LIST64 = of(BufferKind.VALIDITY, BufferKind.OFFSETS64);
    public static final Layout LIST_VIEW32 = of(BufferKind.VALIDITY, BufferKind.OFFSETS32, BufferKind.SIZES32);
    public static final Layout LIST_VIEW64 = of(BufferKind.VALIDITY, BufferKind.OFFSETS64, BufferKind.SIZES64);
    public static final Layout SPARSE_UNION = of(BufferKind.TYPE_IDS);
    public static final Layout DENSE_UNION = of(BufferKind.TYPE_IDS, BufferKind.UNION_OFFSETS);
    public static final Layout VIEW = new Layout(List.of(BufferKind.VALIDITY, BufferKind.VIEWS), 0, true);
    public static final Layout BITS1 = fixedWidth(1);
    public static final Layout BITS8 = fixedWidth(8);
    public static final Layout BITS16 = fixedWidth(16);
    public static final Layout BITS32 = fixedWidth(32);
    public static final Layout BITS64 = fixedWidth(64);
    public static final Layout BITS128 = fixedWidth(128);
    public static final Layout BITS256 = fixedWidth(256);

    private Layouts() {}

    /** A validity bitmap, and values of a fixed number of bits. */
    public static Layout fixedWidth(int bits) {
        return new Layout(List.of(BufferKind.VALIDITY, BufferKind.DATA), bits, false);
    }

    private static Layout of(BufferKind... buffers) {
        return new Layout(List.of(buffers), 0, false);
    }
}
