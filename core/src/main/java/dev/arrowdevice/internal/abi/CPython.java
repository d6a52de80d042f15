package dev.arrowdevice.internal.abi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;

/** The functions of CPython's C API that we call, by their addresses, and the destructor of our capsules. */
public final class CPython {
    private static final long DESTRUCTOR = Stubs.stub(MethodHandles.lookup(), "destroy", void.class, long.class);
    private static final ConcurrentMap<Long, Runnable> CAPSULES = new ConcurrentHashMap<>();

    private static final Linker LINKER = Linker.nativeLinker();
    private static final ValueLayout ADDRESS = ValueLayout.JAVA_LONG;

    private final MethodHandle isInitialized;
    private final MethodHandle ensure;
    private final MethodHandle release;
    private final MethodHandle ofThisThread;
    private final MethodHandle current;
    private final MethodHandle saveThread;
    private final MethodHandle restoreThread;
    private final MethodHandle decRef;
    private final MethodHandle capsuleNew;
    private final MethodHandle capsuleIsValid;
    private final MethodHandle capsuleGetPointer;
    private final MethodHandle capsuleSetName;

    /**
     * Binds the functions.
     *
     * @param address the address of a function by its name
     */
    public CPython(ToLongFunction<String> address) {
        FunctionDescriptor noneToInt = FunctionDescriptor.of(ValueLayout.JAVA_INT);
        isInitialized = bind(address, "Py_IsInitialized", noneToInt);
        ensure = bind(address, "PyGILState_Ensure", noneToInt);
        release = bind(address, "PyGILState_Release", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT));
        FunctionDescriptor noneToAddress = FunctionDescriptor.of(ADDRESS);
        ofThisThread = bind(address, "PyGILState_GetThisThreadState", noneToAddress);
        current = bind(address, "PyThreadState_GetUnchecked", noneToAddress);
        saveThread = bind(address, "PyEval_SaveThread", noneToAddress);
        restoreThread = bind(address, "PyEval_RestoreThread", FunctionDescriptor.ofVoid(ADDRESS));
        decRef = bind(address, "Py_DecRef", FunctionDescriptor.ofVoid(ADDRESS));
        capsuleNew = bind(address, "PyCapsule_New", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        FunctionDescriptor twoToInt = FunctionDescriptor.of(ValueLayout.JAVA_INT, ADDRESS, ADDRESS);
        capsuleIsValid = bind(address, "PyCapsule_IsValid", twoToInt);
        capsuleSetName = bind(address, "PyCapsule_SetName", twoToInt);
        capsuleGetPointer = bind(address, "PyCapsule_GetPointer", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        PythonEnd.setPossible();
    }

    @SuppressWarnings("restricted") // calls a native function: what the flag --enable-native-access is for
    private static MethodHandle bind(ToLongFunction<String> address, String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(MemorySegment.ofAddress(address.applyAsLong(name)), descriptor);
    }

    /** A C string, for ever. */
    public static long string(String text) {
        return Arena.global().allocateFrom(text).address();
    }

    /** {@code Py_DecRef}, on any thread; does nothing once the interpreter has ended. */
    public void drop(long object) {
        // A thread that waits for the GIL when the interpreter ends never returns.
        if (!PythonEnd.enter()) {
            return;
        }
        try {
            if ((int) isInitialized.invokeExact() != 0) {
                int state = (int) ensure.invokeExact();
                decRef.invokeExact(object);
                release.invokeExact(state);
            }
        } catch (Throwable e) {
            throw Callbacks.rethrow(e);
        } finally {
            PythonEnd.leave();
        }
    }

    /**
     * Releases nothing of Python's any more from now on, and waits for what is under way; without the GIL, which that may
     * need.
     */
    public void end() {
        long state = giveUp();
        try {
            PythonEnd.end();
        } finally {
            restore(state);
        }
    }

    /**
     * Gives the GIL up if this thread holds it.
     *
     * @return what {@link #restore} needs; 0 if the thread does not hold it, or the interpreter is ending
     */
    public long giveUp() {
        try {
            if ((int) isInitialized.invokeExact() == 0) {
                return 0;
            }
            // PyGILState_Check says 1 to every thread once there has been a second interpreter.
            long own = (long) ofThisThread.invokeExact();
            return own == 0 || own != (long) current.invokeExact() ? 0 : (long) saveThread.invokeExact();
        } catch (Throwable e) {
            throw Callbacks.rethrow(e);
        }
    }

    /** Takes again what {@link #giveUp} gave up on this thread. */
    public void restore(long state) {
        try {
            if (state != 0) {
                restoreThread.invokeExact(state);
            }
        } catch (Throwable e) {
            throw Callbacks.rethrow(e);
        }
    }

    /**
     * Makes a capsule, on any thread.
     *
     * @param destroy what is done with the capsule's address once it dies: under the GIL, possibly with an exception set
     * @return a new reference; 0 if Python has no memory, and then {@code destroy} is not called
     */
    public long newCapsule(long pointer, long name, LongConsumer destroy) {
        try {
            int state = (int) ensure.invokeExact();
            long capsule = (long) capsuleNew.invokeExact(pointer, name, DESTRUCTOR);
            if (capsule != 0) {
                CAPSULES.put(capsule, () -> destroy.accept(capsule));
            }
            release.invokeExact(state);
            return capsule;
        } catch (Throwable e) {
            throw Callbacks.rethrow(e);
        }
    }

    private static void destroy(long capsule) {
        try {
            Runnable action = CAPSULES.remove(capsule);
            if (action != null) {
                action.run();
            }
        } catch (Throwable e) {
            Stubs.report("PyCapsule_Destructor", e);
        }
    }

    /** {@code PyCapsule_GetPointer} where the capsule has the name, else 0; for a thread that holds the GIL. */
    public long pointer(long capsule, long name) {
        try {
            return (int) capsuleIsValid.invokeExact(capsule, name) == 0
                    ? 0
                    : (long) capsuleGetPointer.invokeExact(capsule, name);
        } catch (Throwable e) {
            throw Callbacks.rethrow(e);
        }
    }

    /**
     * Renames a capsule, on any thread, in one step: of several threads that try one succeeds.
     *
     * @param used the name that it gets
     * @return its pointer; 0 if it does not have the name, or is no capsule
     */
    public long take(long capsule, long name, long used) {
        try {
            int state = (int) ensure.invokeExact();
            try {
                long pointer = pointer(capsule, name);
                return pointer == 0 || (int) capsuleSetName.invokeExact(capsule, used) != 0 ? 0 : pointer;
            } finally {
                release.invokeExact(state);
            }
        } catch (Throwable e) {
            throw Callbacks.rethrow(e);
        }
    }
}
