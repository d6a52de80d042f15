package dev.arrowdevice.interop;

import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.Field;
import dev.arrowdevice.internal.abi.CDlpack;
import dev.arrowdevice.internal.abi.CPython;
import dev.arrowdevice.internal.exchange.Requirements;
import dev.arrowdevice.spi.Move;
import dev.arrowdevice.spi.Verb;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What Python holds of ours, and what we hold of Python's, in a process that both run in. It is the part of an exchange
 * with CPython that can't be written in Python: a capsule may die while an exception is on its way, when no Python code can
 * run, and Java may let go of an object on any thread. The file {@code arrow_device.py} of the samples is made on top of
 * it, and is what Python code uses.
 *
 * <p>All methods may be called from any thread, with or without the global interpreter lock.
 */
public final class PythonReferences {
    private final CPython python;
    private final ConcurrentMap<String, Long> names = new ConcurrentHashMap<>();

    private PythonReferences(CPython python) {
        this.python = python;
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
    public static PythonReferences of(Map<String, ? extends Number> functions) {
        Requirements.requireForeignMemory("PythonReferences.of");
        return new PythonReferences(new CPython(name -> {
            Number address = functions.get(name);
            if (address == null || address.longValue() == 0) {
                throw new IllegalArgumentException("PythonReferences.of: the address of " + name + " is missing");
            }
            return address.longValue();
        }));
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
        return capsule(struct.getAddress(), struct.getCapsuleName(), capsule -> struct.close(), struct::close);
    }

    /**
     * Makes a capsule of a tensor that {@link DlpackTensor#exportVersioned} gave. The tensor is the capsule's from now on,
     * also if this fails, and a consumer's that gives the capsule another name: a capsule that still has its own when it
     * dies calls the deleter.
     *
     * @return the address of the capsule, a new reference, which is the caller's
     * @throws OutOfMemoryError if Python has no memory
     */
    public long versionedTensor(long tensor) {
        return tensor(tensor, DlpackTensor.CAPSULE, CDlpack.VERSIONED);
    }

    /** Makes a capsule of a tensor that {@link DlpackTensor#exportLegacy} gave; see {@link #versionedTensor}. */
    public long legacyTensor(long tensor) {
        return tensor(tensor, DlpackTensor.LEGACY_CAPSULE, CDlpack.LEGACY);
    }

    /**
     * Takes in the tensor of a capsule that nobody has consumed, versioned or legacy. The capsule gets the name of a used one,
     * in one step: of several threads with one capsule one has the tensor, and the others fail.
     *
     * @param capsule the address of the object, to which the caller keeps a reference meanwhile
     * @param options see {@link DlpackTensor#importVersioned}
     * @throws IllegalArgumentException if it is no capsule of a tensor or was consumed, and is left as it is; or as {@link
     *     DlpackTensor#importVersioned} does, after which the tensor is deleted
     */
    public DeviceArray importTensor(long capsule, ImportOptions options) {
        Objects.requireNonNull(options, "options");
        long versioned = take(capsule, DlpackTensor.CAPSULE);
        if (versioned != 0) {
            return DlpackTensor.importVersioned(versioned, options);
        }
        long legacy = take(capsule, DlpackTensor.LEGACY_CAPSULE);
        if (legacy != 0) {
            return DlpackTensor.importLegacy(legacy, options);
        }
        throw new IllegalArgumentException(
                "PythonReferences.importTensor: the capsule was consumed, or is none of a tensor");
    }

    private long take(long capsule, String name) {
        return python.take(capsule, name(name), name("used_" + name));
    }

    /**
     * To be called when the interpreter that hosts this JVM is about to end, as by its {@code atexit}: the process takes down
     * Python's libraries while threads of Java still run. Waits for what Java is releasing; what it would release later, of
     * Python's or of any other foreign library, is dropped.
     */
    public void end() {
        python.end();
    }

    /**
     * The owner of a Python object, which gives one reference back when it is closed for the first time. After the
     * interpreter has ended it does nothing.
     *
     * @param object the address of the object; the reference is handed over
     */
    public AutoCloseable owner(long object) {
        AtomicLong reference = new AtomicLong(object);
        return () -> {
            long last = reference.getAndSet(0);
            if (last != 0) {
                python.drop(last);
            }
        };
    }

    /**
     * A stream for consumers that call with the global interpreter lock held, as nanoarrow does, and the end of a capsule. It
     * gives the lock up while the stream pulls or is closed: other threads that this waits for, such as those of a flow, may
     * need it for an array of Python's.
     *
     * @param stream is moved to the one that is returned, which the caller closes
     * @throws IllegalStateException if the stream was closed or moved
     */
    public DeviceArrayStream unlocked(DeviceArrayStream stream) {
        return new UnlockedStream(Move.stream(stream, Verb.WRAP), python);
    }

    private static final class UnlockedStream extends DeviceArrayStream {
        private final DeviceArrayStream source;
        private final CPython python;

        UnlockedStream(DeviceArrayStream source, CPython python) {
            this.source = source;
            this.python = python;
        }

        @Override
        public int getDeviceType() {
            return source.getDeviceType();
        }

        @Override
        public Field getField() {
            return source.getField();
        }

        @Override
        protected @Nullable DeviceArray pull() {
            long state = python.giveUp();
            try {
                return source.nextArray();
            } finally {
                python.restore(state);
            }
        }

        @Override
        protected void closeSource() {
            long state = python.giveUp();
            try {
                source.close();
            } finally {
                python.restore(state);
            }
        }
    }

    private long tensor(long tensor, String name, CDlpack kind) {
        Requirements.requireAddress("PythonReferences", "tensor", tensor);
        return capsule(
                tensor,
                name,
                capsule -> {
                    if (python.pointer(capsule, name(name)) != 0) {
                        CDlpack.delete(tensor, kind);
                    }
                },
                () -> CDlpack.delete(tensor, kind));
    }

    private long capsule(long pointer, String name, LongConsumer destroy, Runnable onFailure) {
        long capsule = python.newCapsule(pointer, name(name), destroy);
        if (capsule == 0) {
            onFailure.run();
            throw new OutOfMemoryError("Python has no memory for a capsule");
        }
        return capsule;
    }

    /** A capsule keeps the address of its name. */
    private long name(String name) {
        return names.computeIfAbsent(name, CPython::string);
    }
}
