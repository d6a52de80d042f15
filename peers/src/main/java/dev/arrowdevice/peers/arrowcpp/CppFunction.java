package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A function of Arrow C++. Its arguments are pointers and integers, all of which travel in integer registers, so that
 * one method handle per number of arguments serves every function.
 */
final class CppFunction {
    private static final int MOST_ARGUMENTS = 6;

    /**
     * What a function returns in memory is described as larger than it is: a structure of two words or less would be
     * expected in registers, where C++ never puts an object that has a destructor.
     */
    static final MemoryLayout RETURNED = MemoryLayout.sequenceLayout(32, ValueLayout.JAVA_LONG);

    private static final MethodHandle[] IN_REGISTER = handles(ValueLayout.JAVA_LONG, 1);
    private static final MethodHandle[] IN_MEMORY = handles(MemoryLayout.structLayout(RETURNED), 2);

    private final String symbol;
    private volatile @Nullable MemorySegment entry;

    private CppFunction(String symbol, @Nullable MemorySegment entry) {
        this.symbol = symbol;
        this.entry = entry;
    }

    /** The function of that mangled name; looked up at the first call. */
    static CppFunction named(String symbol) {
        return new CppFunction(symbol, null);
    }

    /** The virtual function in that slot of the object's table. */
    static CppFunction virtual(long object, int slot) {
        long table = CppMemory.getLong(object);
        long entry = CppMemory.getLong(table + (long) slot * Long.BYTES);
        return new CppFunction("virtual function " + slot, MemorySegment.ofAddress(entry));
    }

    /** The function at that address. */
    static CppFunction at(String name, long address) {
        return new CppFunction(name, MemorySegment.ofAddress(address));
    }

    /** The address of its code. */
    long address() {
        return entry().address();
    }

    /** Calls a function that returns nothing (the result then means nothing), an integer or a pointer. */
    long call(long... arguments) {
        try {
            return (long) IN_REGISTER[arguments.length].invokeExact(entry(), arguments);
        } catch (Throwable failure) {
            throw unexpected(failure, arguments);
        }
    }

    /** Calls a function that returns {@code bool}, of which only the lowest byte is defined. */
    boolean test(long... arguments) {
        return (call(arguments) & 0xff) != 0;
    }

    /** Calls a function that returns an object; the address of that object is returned. */
    long returning(SegmentAllocator allocator, long... arguments) {
        try {
            return ((MemorySegment) IN_MEMORY[arguments.length].invokeExact(entry(), allocator, arguments)).address();
        } catch (Throwable failure) {
            throw unexpected(failure, arguments);
        }
    }

    private MemorySegment entry() {
        MemorySegment found = entry;
        if (found == null) {
            found = ArrowCpp.symbols()
                    .find(symbol)
                    .orElseThrow(() -> new UnsatisfiedLinkError("Arrow C++ does not export " + symbol));
            entry = found;
        }
        return found;
    }

    private IllegalStateException unexpected(Throwable failure, long[] arguments) {
        if (failure instanceof Error) {
            throw (Error) failure;
        }
        return new IllegalStateException(symbol + Arrays.toString(arguments), failure);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle[] handles(MemoryLayout returned, int leading) {
        return IntStream.rangeClosed(0, MOST_ARGUMENTS)
                .mapToObj(count -> {
                    MemoryLayout[] arguments = new MemoryLayout[count];
                    Arrays.fill(arguments, ValueLayout.JAVA_LONG);
                    return Linker.nativeLinker()
                            .downcallHandle(FunctionDescriptor.of(returned, arguments))
                            .asSpreader(leading, long[].class, count);
                })
                .toArray(MethodHandle[]::new);
    }
}
