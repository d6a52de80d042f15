package dev.arrowdevice.peers.arrowcpp;

/** An {@code arrow::internal::ThreadPool}: threads of C++, on which its generators and callbacks run. */
public final class CppThreadPool extends CppObject {
    private static final CppFunction MAKE = CppFunction.named("_ZN5arrow8internal10ThreadPool4MakeEi");
    private static final CppFunction WAIT_FOR_IDLE = CppFunction.named("_ZN5arrow8internal10ThreadPool11WaitForIdleEv");

    private CppThreadPool(long sharedPtr) {
        super(sharedPtr);
    }

    /** A pool of that many threads. Closing it waits for what they do. */
    public static CppThreadPool of(int threads) {
        try (CppScope scope = new CppScope()) {
            return new CppThreadPool(scope.result(MAKE, threads));
        }
    }

    /** Waits until no thread has work. */
    public void awaitIdle() {
        WAIT_FOR_IDLE.call(address());
    }
}
