package dev.arrowdevice.internal.abi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The C heap: {@code malloc} and {@code free}. Used only if {@code java.lang.foreign} exists. */
public final class CHeap {
    /** The alignment of all memory, in bytes: that of the C type with the largest. */
    public static final int ALIGNMENT = 16;

    /**
     * Whether memory may be kept for the next user instead of being freed. If not, tools that watch {@code free} see
     * each use after it.
     */
    static final boolean REUSE = !"false".equals(System.getProperty("dev.arrowdevice.reuseMemory"));

    // size_t and pointers are 64-bit integers on every platform that the SDK supports.
    private static final FunctionDescriptor MALLOC_TYPE =
            FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor FREE_TYPE = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG);

    /**
     * The C library allocates and frees sizes up to this in a few nanoseconds, without a mapping of their own. So the
     * virtual machine can wait for the call, which is cheaper than a change of the thread's state.
     */
    private static final long SMALL = 16L << 10;

    private static final MethodHandle MALLOC_SMALL = LinkedFunctions.criticalDowncall(find("malloc"), MALLOC_TYPE);
    private static final MethodHandle FREE_SMALL = LinkedFunctions.criticalDowncall(find("free"), FREE_TYPE);

    private static final long HUGE_PAGE = 2L << 20;

    /**
     * Calls that the virtual machine does not wait for. In a class of their own, so that only the first use makes them:
     * each takes a millisecond.
     */
    private static final class OrdinaryCalls {
        static final MethodHandle MALLOC = LinkedFunctions.downcall(find("malloc"), MALLOC_TYPE);
        static final MethodHandle FREE = LinkedFunctions.downcall(find("free"), FREE_TYPE);
        static final @Nullable MethodHandle MADVISE = bindMadvise();

        /** From the kernel's {@code asm-generic/mman-common.h}. */
        private static final int MADV_HUGEPAGE = 14;

        /** {@code madvise}, or null if the system is not Linux, because the same advice means something else there. */
        private static @Nullable MethodHandle bindMadvise() {
            return System.getProperty("os.name", "").equals("Linux")
                    ? LinkedFunctions.downcall(
                            find("madvise"),
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
     * @return the address, a multiple of {@value #ALIGNMENT}
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
     * Asks for huge pages for a large allocation. The first write to a page of new memory costs a page fault, which
     * takes longer than filling the page. If this fails, nothing else changes.
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

    /** Frees memory of {@link #allocate}, exactly once. */
    public static void free(long address) {
        try {
            OrdinaryCalls.FREE.invokeExact(address);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Frees memory of {@link #allocate}, exactly once. With the size, small memory is freed faster. */
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

    private static MemorySegment find(String name) {
        return Linker.nativeLinker()
                .defaultLookup()
                .find(name)
                .orElseThrow(() -> new UnsatisfiedLinkError("the C library has no function " + name));
    }
}
