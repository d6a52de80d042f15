package dev.arrowdevice.internal.abi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The C heap: {@code malloc} and {@code free}. Only touched where {@code java.lang.foreign} exists. */
public final class CHeap {
    // size_t and pointers are 64-bit integers on every platform that the SDK supports.
    private static final FunctionDescriptor MALLOC_TYPE =
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor FREE_TYPE = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG);

    /**
     * Blocks up to this size take some nanoseconds of the C library and never a mapping of their own, so that the virtual
     * machine can wait for the call: to let it go on meanwhile costs more than the call itself.
     */
    private static final long SMALL = 16L << 10;

    private static final Linker.Option CRITICAL = Linker.Option.critical(false);
    private static final MethodHandle MALLOC_SMALL = bind("malloc", MALLOC_TYPE, CRITICAL);
    private static final MethodHandle FREE_SMALL = bind("free", FREE_TYPE, CRITICAL);

    private static final long HUGE_PAGE = 2L << 20;

    /** Calls that the virtual machine doesn't wait for: made with the first of them, as each costs a millisecond. */
    private static final class OrdinaryCalls {
        static final MethodHandle MALLOC = bind("malloc", MALLOC_TYPE);
        static final MethodHandle FREE = bind("free", FREE_TYPE);
        static final @Nullable MethodHandle MADVISE = bindMadvise();

        /** Of the kernel's {@code asm-generic/mman-common.h}. */
        private static final int MADV_HUGEPAGE = 14;

        /** {@code madvise}, null where the system is not Linux: elsewhere the advice means something else. */
        private static @Nullable MethodHandle bindMadvise() {
            return System.getProperty("os.name", "").equals("Linux")
                    ? bind(
                            "madvise",
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.JAVA_INT))
                    : null;
        }
    }

    private CHeap() {}

    /**
     * Allocates uninitialised memory.
     *
     * @param byteSize the size in bytes, above 0
     * @return the address, aligned for every C type
     * @throws OutOfMemoryError if the C heap has no room
     */
    public static long allocate(long byteSize) {
        long address;
        try {
            address = byteSize <= SMALL
                    ? (long) MALLOC_SMALL.invokeExact(byteSize)
                    : (long) OrdinaryCalls.MALLOC.invokeExact(byteSize);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        if (address == 0) {
            throw new OutOfMemoryError("malloc of " + byteSize + " bytes failed");
        }
        if (byteSize >= 2 * HUGE_PAGE && OrdinaryCalls.MADVISE != null) {
            adviseHugePages(OrdinaryCalls.MADVISE, address, byteSize);
        }
        return address;
    }

    /**
     * Asks for huge pages in a large block: touching fresh memory costs a page fault per page, which takes longer than
     * filling the page. A hint, whose failure changes nothing.
     */
    private static void adviseHugePages(MethodHandle madvise, long address, long byteSize) {
        long start = (address + HUGE_PAGE - 1) & -HUGE_PAGE;
        long end = (address + byteSize) & -HUGE_PAGE;
        if (start >= end) {
            return;
        }
        try {
            int ignored = (int) madvise.invokeExact(start, end - start, OrdinaryCalls.MADV_HUGEPAGE);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Frees what {@link #allocate} returned; exactly once. */
    public static void free(long address) {
        try {
            OrdinaryCalls.FREE.invokeExact(address);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Frees what {@link #allocate} returned for a size, which makes it faster where that is small; exactly once. */
    public static void free(long address, long byteSize) {
        if (byteSize > SMALL) {
            free(address);
            return;
        }
        try {
            FREE_SMALL.invokeExact(address);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        MemorySegment symbol = linker.defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
        return linker.downcallHandle(symbol, descriptor, options);
    }
}
