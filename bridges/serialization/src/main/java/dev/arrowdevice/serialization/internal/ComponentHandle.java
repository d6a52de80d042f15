package dev.arrowdevice.serialization.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** Reads a component of records. In Java, which calls handles of primitive types without boxing. */
final class ComponentHandle {
    private final MethodHandle handle;

    private ComponentHandle(MethodHandle handle) {
        this.handle = handle;
    }

    /** @throws IllegalAccessException if this module may not read the record */
    static ComponentHandle of(RecordComponent component) throws IllegalAccessException {
        component.getAccessor().trySetAccessible();
        Class<?> type = component.getType();
        MethodType erased = MethodType.methodType(type.isPrimitive() ? type : Object.class, Object.class);
        return new ComponentHandle(
                MethodHandles.lookup().unreflect(component.getAccessor()).asType(erased));
    }

    boolean getBoolean(Object row) throws Throwable {
        return (boolean) handle.invokeExact(row);
    }

    byte getByte(Object row) throws Throwable {
        return (byte) handle.invokeExact(row);
    }

    short getShort(Object row) throws Throwable {
        return (short) handle.invokeExact(row);
    }

    int getInt(Object row) throws Throwable {
        return (int) handle.invokeExact(row);
    }

    long getLong(Object row) throws Throwable {
        return (long) handle.invokeExact(row);
    }

    float getFloat(Object row) throws Throwable {
        return (float) handle.invokeExact(row);
    }

    double getDouble(Object row) throws Throwable {
        return (double) handle.invokeExact(row);
    }

    char getChar(Object row) throws Throwable {
        return (char) handle.invokeExact(row);
    }

    @Nullable
    Object getObject(Object row) throws Throwable {
        return (Object) handle.invokeExact(row);
    }
}
