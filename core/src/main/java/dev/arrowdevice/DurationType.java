package dev.arrowdevice;

import dev.arrowdevice.internal.type.Layouts;
import dev.arrowdevice.spi.Layout;
import java.util.List;

/** A length of time, in 64 bits. */
public record DurationType(TimeUnit unit) implements ArrowType {
    @Override
    public TypeId id() {
        return TypeId.DURATION;
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
        return Layouts.BITS64;
    }

    @Override
    public String toString() {
        return "duration[" + unit.symbol() + "]";
    }
}
