package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/** Reads and writes at raw addresses, and the few layouts of libstdc++ that every call needs. */
final class CppMemory {
    /** Bytes of a {@code shared_ptr}: the object, then the control block. */
    static final long SHARED_PTR = 16;

    private static final MemorySegment ALL = everything();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    /** The strong count follows the pointer to the table of virtual functions. */
    private static final long STRONG_COUNT = 8;

    /** A destructor of any {@code shared_ptr} does for all: it looks at the control block only. */
    private static final CppFunction DESTROY_SHARED_PTR =
            CppFunction.named("_ZNSt10shared_ptrIN5arrow21ExtensionTypeRegistryEED1Ev");

    private static final CppFunction DESTROY_STRING = CppFunction.named("_ZNSsD1Ev");
    private static final long STRING_LENGTH = -24;

    private CppMemory() {}

    static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    static byte[] bytes(long address, long length) {
        return ALL.asSlice(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /** One more owner of what the control block counts; nothing for a null {@code shared_ptr}. */
    static void retain(long control) {
        if (control != 0) {
            INT.getAndAdd(ALL, control + STRONG_COUNT, 1);
        }
    }

    /** Destroys the {@code shared_ptr} at that address: one owner less, the last one deletes the object. */
    static void destroySharedPtr(long address) {
        DESTROY_SHARED_PTR.call(address);
    }

    /** Reads the {@code std::string} at that address. */
    static String getString(long address) {
        long characters = getLong(address);
        long length = getLong(characters + STRING_LENGTH);
        return new String(bytes(characters, length), StandardCharsets.UTF_8);
    }

    /** Reads the {@code std::string} at that address and destroys it. */
    static String takeString(long address) {
        try {
            return getString(address);
        } finally {
            destroyString(address);
        }
    }

    static void destroyString(long address) {
        DESTROY_STRING.call(address);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }
}
