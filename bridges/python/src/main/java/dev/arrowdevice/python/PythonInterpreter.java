package dev.arrowdevice.python;

import dev.arrowdevice.CStruct;
import dev.arrowdevice.DelicateArrowApi;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.interop.DlpackStruct;
import dev.arrowdevice.interop.DlpackTensor;
import dev.arrowdevice.interop.ImportOptions;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.NativeFunctions;
import dev.arrowdevice.spi.Verb;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The CPython that runs in this process: our arrays in its capsules, and its objects as owners in Java. It is the part of an
 * exchange that can't be written in Python: Python may destroy a capsule while an exception is thrown, when no Python code can
 * run, and Java may release an object on any thread. The Python package {@code arrow_device} calls it; Python code uses that
 * package.
 *
 * <p>Python objects are passed by their addresses, which nothing checks. All methods may be called from any thread, with or
 * without the global interpreter lock.
 */
@DelicateArrowApi
public final class PythonInterpreter {
    private final PythonApi api;
    private final InterpreterEnd end = InterpreterEnd.ofProcess();
    private final Gil gil;
    private final Capsules capsules;

    private PythonInterpreter(PythonApi api) {
        this.api = api;
        this.gil = new Gil(api);
        this.capsules = new Capsules(api);
    }

    /**
     * Binds the functions of the interpreter that runs in this process; its main one, which knows the function
     * {@code PyGILState_Ensure} (Jep's {@code SharedInterpreter} is of that kind, its {@code SubInterpreter} is not).
     *
     * @param functions the addresses of {@code Py_IsInitialized}, {@code Py_DecRef}, {@code PyGILState_Ensure},
     *     {@code PyGILState_Release}, {@code PyGILState_GetThisThreadState}, {@code PyThreadState_GetUnchecked} (before Python
     *     3.13 that of {@code _PyThreadState_UncheckedGet}), {@code PyEval_SaveThread}, {@code PyEval_RestoreThread},
     *     {@code PyCapsule_New}, {@code PyCapsule_IsValid}, {@code PyCapsule_GetPointer} and {@code PyCapsule_SetName}
     * @throws IllegalArgumentException if one is missing
     * @throws UnsupportedOperationException on Java before 22
     */
    @DelicateArrowApi
    public static PythonInterpreter of(Map<String, ? extends Number> functions) {
        NativeFunctions<PythonApi> bound = NativeFunctions.of(
                MethodHandles.lookup(),
                PythonApi.class,
                name -> {
                    Number address = functions.get(name);
                    return address == null ? 0 : address.longValue();
                },
                "the map");
        List<String> missing = bound.missing();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("PythonInterpreter.of: the addresses of " + missing + " are missing");
        }
        return new PythonInterpreter(bound.getCalls());
    }

    /**
     * Makes a capsule of a struct, named as Arrow's PyCapsule interface demands. The struct is the capsule's from now on,
     * also if this fails: "the exported PyCapsules should have a destructor that calls the release callback of the Arrow
     * struct, if it is not already null".
     *
     * @return the address of the capsule, a new reference, which is the caller's
     * @throws OutOfMemoryError if Python has no memory
     */
    public long capsule(CStruct struct) {
        return capsules.make(struct.getAddress(), struct.getCapsuleName(), capsule -> struct.close(), struct::close);
    }

    /**
     * Makes a capsule of a DLPack tensor. The tensor is the capsule's from now on, also if this fails, and a consumer's that
     * gives the capsule another name: a capsule that still has its own when it dies calls the deleter.
     *
     * @return the address of the capsule, a new reference, which is the caller's
     * @throws OutOfMemoryError if Python has no memory
     */
    public long capsule(DlpackStruct tensor) {
        String name = tensor.getCapsuleName();
        return capsules.make(
                tensor.getAddress(),
                name,
                capsule -> {
                    if (capsules.isNamed(capsule, name)) {
                        tensor.delete();
                    }
                },
                tensor::delete);
    }

    /**
     * Imports the tensor of a capsule that nobody has consumed, versioned or legacy. The capsule gets the name of a used one,
     * atomically: of several threads with one capsule, one imports the tensor and the others fail.
     *
     * @param capsule the address of the object, to which the caller keeps a reference meanwhile
     * @param options see {@link DlpackTensor#importArray}
     * @throws IllegalArgumentException if it is no capsule of a tensor or was consumed, and is left as it is; or as {@link
     *     DlpackTensor#importArray} does, after which the tensor is deleted
     */
    @DelicateArrowApi
    public DeviceArray importTensor(long capsule, ImportOptions options) {
        Objects.requireNonNull(options, "options");
        long versioned = capsules.take(capsule, DlpackTensor.CAPSULE);
        if (versioned != 0) {
            return DlpackTensor.importArray(DlpackStruct.versioned(versioned), options);
        }
        long legacy = capsules.take(capsule, DlpackTensor.LEGACY_CAPSULE);
        if (legacy != 0) {
            return DlpackTensor.importArray(DlpackStruct.legacy(legacy), options);
        }
        throw new IllegalArgumentException(
                "PythonInterpreter.importTensor: the capsule was consumed, or is none of a tensor");
    }

    /**
     * Makes an owner of a Python object. It releases one reference when it is closed for the first time. After the
     * interpreter has ended it does nothing.
     *
     * @param object the address of the object; one reference to it moves to the owner
     */
    @DelicateArrowApi
    public AutoCloseable owner(long object) {
        AtomicLong reference = new AtomicLong(object);
        return () -> {
            long last = reference.getAndSet(0);
            if (last != 0) {
                drop(last);
            }
        };
    }

    private void drop(long object) {
        // A thread that waits for the GIL when the interpreter ends never returns.
        if (!end.enter()) {
            return;
        }
        try {
            if (api.Py_IsInitialized() != 0) {
                int state = api.PyGILState_Ensure();
                api.Py_DecRef(object);
                api.PyGILState_Release(state);
            }
        } finally {
            end.leave();
        }
    }

    /**
     * A stream for consumers that call under the global interpreter lock, as nanoarrow and the destructor of a capsule do. It
     * releases the lock while it gets an array or is closed. It may wait for other threads then, such as those of a flow, which
     * may need the lock for an array of Python's.
     *
     * @param stream is moved to the one that is returned, which the caller closes
     * @throws IllegalStateException if the stream was closed or moved
     */
    public DeviceArrayStream unlocked(DeviceArrayStream stream) {
        return new UnlockedStream(Move.stream(stream, Verb.WRAP), gil);
    }

    /**
     * Call this when the interpreter that hosts this JVM is about to end, as from its {@code atexit}: the process then unloads
     * Python's libraries while threads of Java still run. It waits for releases in progress, without the global interpreter
     * lock, which they may need. Later releases of foreign memory, Python's or any other library's, are skipped.
     */
    public void end() {
        long state = gil.giveUp();
        try {
            end.end();
        } finally {
            gil.restore(state);
        }
    }
}
