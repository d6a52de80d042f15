package dev.arrowdevice.python;

import dev.arrowdevice.spi.NativeAllocation;
import dev.arrowdevice.spi.NativeCallback;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongConsumer;

/** Our capsules, which have a destructor that runs no Python code, and foreign ones. */
final class Capsules {
    private static final long DESTRUCTOR = NativeCallback.of(MethodHandles.lookup(), "destroy", void.class, long.class);

    /** What runs when Python destroys a capsule, by its address. */
    private static final ConcurrentMap<Long, Runnable> ACTIONS = new ConcurrentHashMap<>();

    private final PythonApi api;
    private final ConcurrentMap<String, NativeAllocation> names = new ConcurrentHashMap<>();

    Capsules(PythonApi api) {
        this.api = api;
    }

    private static void destroy(long capsule) {
        Runnable action = ACTIONS.remove(capsule);
        if (action != null) {
            action.run();
        }
    }

    /**
     * Makes a capsule, on any thread.
     *
     * @param destroy is called with the capsule's address when Python destroys it: under the GIL, possibly with an exception set
     * @param onFailure is called if Python has no memory
     * @return a new reference
     */
    long make(long pointer, String name, LongConsumer destroy, Runnable onFailure) {
        long nameAddress = address(name);
        int state = api.PyGILState_Ensure();
        long capsule = api.PyCapsule_New(pointer, nameAddress, DESTRUCTOR);
        if (capsule != 0) {
            ACTIONS.put(capsule, () -> destroy.accept(capsule));
        }
        api.PyGILState_Release(state);
        if (capsule == 0) {
            onFailure.run();
            throw new OutOfMemoryError("Python has no memory for a capsule");
        }
        return capsule;
    }

    /** Whether it is a capsule of a name; for a thread that holds the GIL. */
    boolean isNamed(long capsule, String name) {
        return api.PyCapsule_IsValid(capsule, address(name)) != 0;
    }

    /**
     * Gives a capsule the name of a used one, atomically, on any thread. Of several threads that try, one succeeds.
     *
     * @return its pointer; 0 if it does not have the name, or is no capsule
     */
    long take(long capsule, String name) {
        long used = address("used_" + name);
        int state = api.PyGILState_Ensure();
        try {
            long pointer = isNamed(capsule, name) ? api.PyCapsule_GetPointer(capsule, address(name)) : 0;
            return pointer == 0 || api.PyCapsule_SetName(capsule, used) != 0 ? 0 : pointer;
        } finally {
            api.PyGILState_Release(state);
        }
    }

    /** A capsule has the address of its name, which is never freed. */
    private long address(String name) {
        return names.computeIfAbsent(name, NativeAllocation::ofString).getAddress();
    }
}
