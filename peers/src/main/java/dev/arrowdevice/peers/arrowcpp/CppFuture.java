package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;

/** An {@code arrow::Future<X>}: a {@code Result<X>} that comes later. */
public final class CppFuture extends CppObject {
    /** The result follows the table of virtual functions, a weak_ptr, the state and the result's deleter. */
    private static final long RESULT = 40;

    private static final long VALUE = 8;
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final CppFunction WAIT = CppFunction.named("_ZN5arrow10FutureImpl4WaitEd");
    private static final MethodHandle WAIT_SECONDS = waitSeconds();

    CppFuture(long sharedPtr) {
        super(sharedPtr);
    }

    /** Whether it has finished when that time is over. */
    public boolean await(Duration time) {
        try {
            MemorySegment function = MemorySegment.ofAddress(WAIT.address());
            return (boolean) WAIT_SECONDS.invokeExact(function, address(), time.toNanos() / 1e9);
        } catch (Throwable failure) {
            throw new IllegalStateException("FutureImpl::Wait", failure);
        }
    }

    /**
     * Waits for success.
     *
     * @throws CppException if it fails
     */
    public void join() {
        value();
    }

    /**
     * Waits for the X, which stays the future's.
     *
     * @throws CppException if it fails
     */
    long value() {
        if (!await(LONGEST)) {
            throw new IllegalStateException("The future has not finished within " + LONGEST);
        }
        long result = CppMemory.getLong(address() + RESULT);
        try (CppScope scope = new CppScope()) {
            CppException.checkShared(scope, result);
        }
        return result + VALUE;
    }

    @SuppressWarnings("restricted")
    private static MethodHandle waitSeconds() {
        return Linker.nativeLinker()
                .downcallHandle(FunctionDescriptor.of(
                        ValueLayout.JAVA_BOOLEAN, ValueLayout.JAVA_LONG, ValueLayout.JAVA_DOUBLE));
    }
}
