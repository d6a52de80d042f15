package dev.arrowdevice.testkit;

import dev.arrowdevice.testkit.SimulatedDriverLibrary.Option;
import dev.arrowdevice.testkit.SimulatedDriverLibrary.Text;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A GPU driver in C that needs no GPU: {@code libcuda.so.1} or {@code libamdhip64.so.N}, built by the system's C compiler
 * and loaded into this process. Whatever asks for a library of that name afterwards gets it, JCuda too.
 *
 * <p>It has two devices. Each stream has a thread of its own, copies really happen later, device memory lies at addresses
 * that the host cannot read, and host memory that was freed cannot be read either. It is stricter than a real driver:
 * mistakes that a real one forgives give an error code and are listed by {@link #violations}. Memory that a queued copy
 * reads or writes is looked at when the copy runs, also ordinary host memory, which real drivers stage in part. Freeing
 * memory never waits for queued work: that work then fails.
 *
 * <p>As with real devices an error of queued work stays: every later call for that device reports it, queued copies and
 * host functions of it are skipped, callbacks are told. Calls that free or destroy do so all the same. It ends with
 * {@link #clearErrors}, or with the context.
 *
 * <p>The default streams, also by the handles 1 and 2, are there for each device; that of handle 2 is one for all threads.
 * A stream that is destroyed does what is queued first, paused or not as it was.
 *
 * <p>There is one driver in the process for each face, with one state. All methods may be called from any thread.
 */
public final class SimulatedDriver implements Counted {
    /** The codes that tests need; they are the same in CUDA and HIP. */
    public static final int INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_HANDLE = 400;

    /** Codes of work: still under way, touched memory that is not there, failed. */
    public static final int NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719;

    private static final Map<Path, SimulatedDriver> LOADED = new ConcurrentHashMap<>();

    /** What programs take it for. */
    public enum Face {
        /** CUDA's driver, release 12.4. */
        CUDA("libcuda.so.1", 12),
        /** The HIP runtime of ROCm 5.2, which lacks {@code hipLaunchHostFunc}. */
        ROCM_5("libamdhip64.so.5", 5),
        /** The HIP runtime of ROCm 6. */
        ROCM_6("libamdhip64.so.6", 6),
        /** The HIP runtime of ROCm 7. */
        ROCM_7("libamdhip64.so.7", 7);

        private final String fileName;
        private final int version;

        Face(String fileName, int version) {
            this.fileName = fileName;
            this.version = version;
        }

        /** The name of the library's file, which is its soname too. */
        public String fileName() {
            return fileName;
        }

        /** The major version. */
        public int version() {
            return version;
        }
    }

    private final Path path;
    private final SimulatedDriverLibrary library;

    private SimulatedDriver(Path path) {
        this.path = path;
        this.library = new SimulatedDriverLibrary(path);
    }

    /**
     * Builds the library, unless that has been done before, and loads it; loading it again gives the same driver.
     *
     * @param face what it should look like
     * @throws CCompilerException if there is no C compiler
     * @throws UnsupportedOperationException on another system than Linux
     */
    public static SimulatedDriver load(Face face) {
        return load(face, Set.of());
    }

    /**
     * Loads a driver that lacks some functions, as an old one does. It is another driver than that of {@link #load(Face)},
     * though of the same name: the one that was loaded first is found by name.
     *
     * @param face what it should look like
     * @param without names of the functions, such as {@code cuMemAllocAsync}
     */
    public static SimulatedDriver load(Face face, Set<String> without) {
        return LOADED.computeIfAbsent(build(face, without), SimulatedDriver::new);
    }

    /**
     * Builds the library without loading it, for other processes.
     *
     * @param face what it should look like
     * @param without names of functions to leave out
     * @return its path, in a directory that only this user can write
     */
    public static Path build(Face face, Set<String> without) {
        return SimulatedDriverLibrary.build(face, without, List.of());
    }

    /** Path of the library. */
    public Path path() {
        return path;
    }

    /** The functions of the library. */
    public SymbolLookup symbols() {
        return library.lookup;
    }

    /**
     * Sets the number of devices.
     *
     * @param count 0 to 8; 2 unless set. With 0 the driver answers that there is no device
     */
    public void devices(int count) {
        library.set(Option.DEVICES, count);
    }

    /**
     * Sets how much memory each device has.
     *
     * @param bytes 1 GiB unless set
     */
    public void deviceBytes(long bytes) {
        library.set(Option.DEVICE_BYTES, bytes);
    }

    /**
     * Sets how much pinned memory there may be.
     *
     * @param bytes 16 GiB unless set
     */
    public void pinnedBytes(long bytes) {
        library.set(Option.PINNED_BYTES, bytes);
    }

    /**
     * Sets how long a stream waits before each asynchronous copy.
     *
     * @param delay 200 microseconds unless set
     */
    public void delay(Duration delay) {
        library.set(Option.DELAY_MICROS, delay.toNanos() / 1_000);
    }

    /**
     * Sets whether devices have stream-ordered memory.
     *
     * @param supported whether
     */
    public void memoryPools(boolean supported) {
        library.set(Option.POOLS, supported ? 1 : 0);
    }

    /**
     * Sets whether devices have managed memory.
     *
     * @param supported whether
     */
    public void managedMemory(boolean supported) {
        library.set(Option.MANAGED, supported ? 1 : 0);
    }

    /**
     * Sets whether the host may touch managed memory while the device is at work.
     *
     * @param supported whether the devices say so
     */
    public void concurrentManagedAccess(boolean supported) {
        library.set(Option.CONCURRENT_MANAGED, supported ? 1 : 0);
    }

    /**
     * Sets whether devices can reach each other's memory.
     *
     * @param supported whether
     */
    public void peerAccess(boolean supported) {
        library.set(Option.PEERS, supported ? 1 : 0);
    }

    /**
     * Sets the version that CUDA's driver says it has.
     *
     * @param version as {@code cuDriverGetVersion} has it; 12040, which is 12.4, unless set
     */
    public void cudaVersion(int version) {
        library.set(Option.CUDA_VERSION, version);
    }

    /** Keeps all streams, default ones too, from beginning anything; synchronous copies then wait as well. */
    public void pauseAll() {
        library.pause(0, true);
    }

    /** Ends {@link #pauseAll}; streams paused by {@link #pause} stay paused. */
    public void resumeAll() {
        library.pause(0, false);
    }

    /**
     * Keeps a stream from beginning anything.
     *
     * @param stream its handle, not that of a default stream
     */
    public void pause(long stream) {
        library.pause(stream, true);
    }

    /**
     * Ends {@link #pause}.
     *
     * @param stream its handle
     */
    public void resume(long stream) {
        library.pause(stream, false);
    }

    /**
     * Keeps an event from completing, whatever its stream has done; the stream stops there.
     *
     * @param event its handle
     */
    public void pauseEvent(long event) {
        SimulatedDriverLibrary.requireOk(library.api.sim_pause_event(event, 1), "an event that is live");
    }

    /**
     * Ends {@link #pauseEvent}.
     *
     * @param event its handle
     */
    public void resumeEvent(long event) {
        SimulatedDriverLibrary.requireOk(library.api.sim_pause_event(event, 0), "an event that is live");
    }

    /**
     * How many operations a stream has not finished.
     *
     * @param stream its handle; -1 is answered for one that is not live
     */
    public long queued(long stream) {
        return library.api.sim_queued(stream);
    }

    /**
     * Waits until no stream has anything left to do.
     *
     * @param limit how long at most
     * @return operations that are still queued; 0: none
     */
    public long awaitIdle(Duration limit) {
        return library.api.sim_await_idle(limit.toMillis());
    }

    /**
     * Lets one call of a function fail without doing anything.
     *
     * @param function its name, such as {@code cuMemAlloc_v2} or {@code hipMalloc}; {@code _v2} may be left out
     * @param code what it returns
     * @param after how many calls succeed before
     */
    public void failNext(String function, int code, long after) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(function);
            SimulatedDriverLibrary.requireOk(
                    library.api.sim_fail_next(name.address(), code, after), "at most 32 failures at a time");
        }
    }

    /**
     * Lets the next call of a function fail without doing anything.
     *
     * @param function its name
     * @param code what it returns
     */
    public void failNext(String function, int code) {
        failNext(function, code, 0);
    }

    /**
     * Lets one copy or fill fail when its stream carries it out. The error stays with the device.
     *
     * @param code of the error
     * @param after how many succeed before
     */
    public void failCopy(int code, long after) {
        library.api.sim_fail_copy(code, after);
    }

    /**
     * Loses a device: all calls for it give the code, and nothing queued on it is carried out any more.
     *
     * @param device its number
     * @param code of the error
     */
    public void loseDevice(int device, int code) {
        library.api.sim_lose_device(device, code);
    }

    /** Ends all errors: those asked for that have not occurred, and those that stay with a device. */
    public void clearErrors() {
        library.api.sim_clear_errors();
    }

    /** Forgets the violations and the trace. */
    public void forget() {
        library.api.sim_forget();
    }

    /** Back to the state in which it was loaded, except for what is live; nothing is paused any more. */
    public void reset() {
        library.api.sim_reset();
    }

    /** What is live, as numbers. */
    public SimulatedDriverCounters counters() {
        return library.counters();
    }

    /** Counts what is live and the mistakes of the program, which are listed. */
    @Override
    public Supplier<List<String>> count() {
        return library.count();
    }

    /** What is live: a line for each piece of memory and each stream. */
    public List<String> live() {
        return library.text(Text.LIVE);
    }

    /**
     * The last 8192 lines of what happened: {@code <number> <function> <details> = <code>} for calls, {@code <number> ran
     * <what> of operation <number> … = <code>} for what streams have carried out.
     */
    public List<String> trace() {
        return library.text(Text.TRACE);
    }

    /** Mistakes of the program, a sentence for each; empty: none. */
    public List<String> violations() {
        return library.text(Text.VIOLATIONS);
    }

    /**
     * Whether the host could read the byte at an address; asking harms nothing.
     *
     * @param address any
     */
    public boolean hostCanRead(long address) {
        return library.api.sim_host_can_read(address) == 1;
    }

    /**
     * The bytes of memory of the driver as they are at this moment, whatever is queued.
     *
     * @param address of memory of any kind
     * @param length how many
     */
    public byte[] peek(long address, int length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(length);
            SimulatedDriverLibrary.requireOk(
                    library.api.sim_peek(address, bytes.address(), length), "memory that is live");
            return bytes.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /**
     * Writes bytes into memory of the driver at this moment, as a kernel would.
     *
     * @param address of memory of any kind
     * @param bytes what
     */
    public void poke(long address, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            SimulatedDriverLibrary.requireOk(
                    library.api.sim_poke(address, in.address(), bytes.length), "memory that is live");
        }
    }
}
