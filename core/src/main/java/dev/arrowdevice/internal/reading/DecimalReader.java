package dev.arrowdevice.internal.reading;

import dev.arrowdevice.DecimalType;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.HostMemory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Decimals of 32 to 256 bits: two's complement integers in the machine's byte order, with the scale of the type. */
public final class DecimalReader extends ValueReader {
    private final HostMemory values;
    private final int scale;
    private final int byteWidth;

    DecimalReader(ArrayData data, @Nullable HostMemory validity, HostMemory values, DecimalType type) {
        super(data, validity);
        this.values = values;
        this.scale = type.scale();
        this.byteWidth = type.layout().bitWidth() / 8;
    }

    @Override
    public int getInt(long index) {
        return byteWidth == 4 ? values.getInt(valueIndex(index) << 2) : super.getInt(index);
    }

    @Override
    public long getLong(long index) {
        if (byteWidth == 4) {
            return getInt(index);
        }
        return byteWidth == 8 ? values.getLong(valueIndex(index) << 3) : super.getLong(index);
    }

    @Override
    public BigDecimal getDecimal(long index) {
        if (byteWidth <= 8) {
            return BigDecimal.valueOf(getLong(index), scale);
        }
        byte[] bytes = new byte[byteWidth];
        values.get(valueIndex(index) * byteWidth, bytes, 0, byteWidth);
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            for (int low = 0, high = byteWidth - 1; low < high; low++, high--) {
                byte swap = bytes[low];
                bytes[low] = bytes[high];
                bytes[high] = swap;
            }
        }
        return new BigDecimal(new BigInteger(bytes), scale);
    }

    @Override
    public Object valueAt(long index) {
        return getDecimal(index);
    }
}
