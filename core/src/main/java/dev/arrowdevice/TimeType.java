package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/**
 * Time since midnight. "SECOND and MILLISECOND: 32 bits; MICROSECOND and NANOSECOND: 64 bits."
 *
 * @param id {@link TypeId#TIME32} or {@link TypeId#TIME64}
 * @param unit the unit; each width allows two
 */
public record TimeType(TypeId id, TimeUnit unit) implements ArrowType {
    public TimeType {
        boolean coarse = unit == TimeUnit.SECOND || unit == TimeUnit.MILLISECOND;
        if (id != TypeId.TIME32 && id != TypeId.TIME64) {
            throw new InvalidSchemaException(id + " is no time type");
        }
        if (id == TypeId.TIME32 && !coarse) {
            throw new InvalidSchemaException("time32 counts s or ms, not " + unit.symbol());
        }
        if (id == TypeId.TIME64 && coarse) {
            throw new InvalidSchemaException("time64 counts us or ns, not " + unit.symbol());
        }
    }

    @Override
    public List<Field> children() {
        return List.of();
    }

    @Override
    public ArrowType storageType() {
        return this;
    }

    @Override
    public Layout layout() {
        return id == TypeId.TIME32 ? Layouts.BITS32 : Layouts.BITS64;
    }

    @Override
    public String toString() {
        return (id == TypeId.TIME32 ? "time32[" : "time64[") + unit.symbol() + "]";
    }
}
