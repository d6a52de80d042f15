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
 * A GPU driver in C that needs no GPU: {@code libcuda.so.1} or {@code libamdhip64.so.N}. The system's C compiler builds
 * it, and it is loaded into this process. Whatever asks for a library of that name afterwards gets it, JCuda too.
 *
 * <p>It has two devices. Each stream has a thread, and copies really happen later. The host cannot read device memory
 * by its address, nor host memory that was freed. The driver is stricter than a real one: mistakes that a real driver
 * forgives return an error code and are listed by {@link #violations}. Memory that a queued copy reads or writes is
 * checked when the copy runs. That includes ordinary host memory, which real drivers copy in part when the copy is
 * queued. Freeing memory never waits for queued work: that work then fails.
 *
 * <p>As on real devices, an error of queued work stays: every later call for that device returns it, queued copies and
 * host functions of the device are skipped, and callbacks get it. Calls that free or destroy still do so. The error
 * ends with {@link #clearErrors}, or with the context.
 *
 * <p>Each device has the default streams, also under the handles 1 and 2; all threads share that of handle 2. A stream
 * that is destroyed does its queued work first, and stays paused if it was.
 *
 * <p>It is kinder than real drivers in what it does at once, unless {@linkplain #modes modes} are set.
 *
 * <p>The process has one driver for each face, with one state. All methods may be called from any thread.
 */
public final class SimulatedDriver implements Counted {
    /** The error codes that tests need. They are the same in CUDA and HIP. */
    public static final int INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_HANDLE = 400;

    /** The codes of work: pending, accessed memory that does not exist, failed. */
    public static final int NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719;

    private static final Map<Path, SimulatedDriver> LOADED = new ConcurrentHashMap<>();

    /** The library that programs see. */
    public enum Library {
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

        Library(String fileName, int version) {
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
     * Builds the library, unless that has been done before, and loads it. Loading it again returns the same driver.
     *
     * @param face the library that programs see
     * @throws CCompilerException if there is no C compiler
     * @throws UnsupportedOperationException on another system than Linux
     */
    public static SimulatedDriver load(Library face) {
        return load(face, Set.of());
    }

    /**
     * Loads a driver that lacks some functions, as an old one does. It is not the driver of {@link #load(Library)}, but
     * has the same name: programs find the one that was loaded first.
     *
     * @param face the library that programs see
     * @param without names of the functions, such as {@code cuMemAllocAsync}
     */
    public static SimulatedDriver load(Library face, Set<String> without) {
        return LOADED.computeIfAbsent(build(face, without), SimulatedDriver::new);
    }

    /**
     * Builds the library without loading it, for other processes. Bit n of the number in their environment variable
     * {@code SIM_MODES} sets the mode whose ordinal is n.
     *
     * @param face the library that programs see
     * @param without names of functions to leave out
     * @return its path, in a directory that only this user can write
     */
    public static Path build(Library face, Set<String> without) {
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
     * @param count 0 to 8; 2 by default. With 0 the driver reports that there is no device
     */
    public void devices(int count) {
        library.set(Option.DEVICES, count);
    }

    /**
     * Sets the size of each device's memory.
     *
     * @param bytes 1 GiB by default
     */
    public void deviceBytes(long bytes) {
        library.set(Option.DEVICE_BYTES, bytes);
    }

    /**
     * Sets the limit of pinned memory.
     *
     * @param bytes 16 GiB by default
     */
    public void pinnedBytes(long bytes) {
        library.set(Option.PINNED_BYTES, bytes);
    }

    /**
     * Sets how long a stream waits before each asynchronous copy.
     *
     * @param delay 200 microseconds by default
     */
    public void delay(Duration delay) {
        library.set(Option.DELAY_MICROS, delay.toNanos() / 1_000);
    }

    /**
     * Sets whether devices have stream-ordered memory.
     *
     * @param supported true by default
     */
    public void memoryPools(boolean supported) {
        library.set(Option.POOLS, supported ? 1 : 0);
    }

    /**
     * Sets whether devices have managed memory.
     *
     * @param supported true by default
     */
    public void managedMemory(boolean supported) {
        library.set(Option.MANAGED, supported ? 1 : 0);
    }

    /**
     * Sets whether the host may access managed memory while the device works.
     *
     * @param supported what the devices report
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
     * Sets the version that CUDA's driver reports.
     *
     * @param version as {@code cuDriverGetVersion} returns it; 12040, which is 12.4, by default
     */
    public void cudaVersion(int version) {
        library.set(Option.CUDA_VERSION, version);
    }

    /**
     * Sets how the driver behaves where the documentation of drivers allows more than one way.
     *
     * @param modes none by default
     */
    public void modes(Set<SimulatedDriverMode> modes) {
        library.set(
                Option.MODES,
                modes.stream().mapToLong(mode -> 1L << mode.ordinal()).sum());
    }

    /** Pauses all streams, default ones too: they start nothing. Synchronous copies wait as well. */
    public void pauseAll() {
        library.pause(0, true);
    }

    /** Ends {@link #pauseAll}. A stream paused by {@link #pause} stays paused. */
    public void resumeAll() {
        library.pause(0, false);
    }

    /** Pauses a stream, not a default one: it starts nothing. */
    public void pause(long stream) {
        library.pause(stream, true);
    }

    /** Ends {@link #pause}. */
    public void resume(long stream) {
        library.pause(stream, false);
    }

    /** Keeps an event pending, whatever its stream has done. The stream stops at the event. */
    public void pauseEvent(long event) {
        SimulatedDriverLibrary.requireOk(library.api.sim_pause_event(event, 1), "an event that is live");
    }

    /** Ends {@link #pauseEvent}. */
    public void resumeEvent(long event) {
        SimulatedDriverLibrary.requireOk(library.api.sim_pause_event(event, 0), "an event that is live");
    }

    /**
     * The number of operations that a stream has not finished.
     *
     * @param stream its handle; the result is -1 if it is not live
     */
    public long queued(long stream) {
        return library.api.sim_queued(stream);
    }

    /**
     * Waits until all streams are idle.
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
     * @param after the number of calls that succeed first
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
     * Lets one copy or fill fail when its stream runs it. The error stays with the device.
     *
     * @param code of the error
     * @param after the number of copies and fills that succeed first
     */
    public void failCopy(int code, long after) {
        library.api.sim_fail_copy(code, after);
    }

    /**
     * Loses a device: all calls for it return the code, and its queued work does not run any more.
     *
     * @param device its number
     * @param code of the error
     */
    public void loseDevice(int device, int code) {
        library.api.sim_lose_device(device, code);
    }

    /** Ends all errors: the ones that were requested and have not occurred, and the ones that stay with a device. */
    public void clearErrors() {
        library.api.sim_clear_errors();
    }

    /** Clears the violations and the trace. */
    public void forget() {
        library.api.sim_forget();
    }

    /** Resets the driver to the state in which it was loaded, except for what is live. Nothing is paused any more. */
    public void reset() {
        library.api.sim_reset();
    }

    /** The numbers of live objects. */
    public SimulatedDriverCounters counters() {
        return library.counters();
    }

    /** Counts live objects and the program's mistakes, for a {@link ReleaseBalance}. */
    @Override
    public Supplier<List<String>> count() {
        return library.count();
    }

    /** The live objects: a line for each allocation and each stream. */
    public List<String> live() {
        return library.text(Text.LIVE);
    }

    /**
     * The last 8192 lines of the trace: {@code <number> <function> <details> = <code>} for a call, {@code <number> ran
     * <what> of operation <number> … = <code>} for work that a stream has done.
     */
    public List<String> trace() {
        return library.text(Text.TRACE);
    }

    /** The program's mistakes, a sentence each; empty if there were none. */
    public List<String> violations() {
        return library.text(Text.VIOLATIONS);
    }

    /**
     * Whether the host could read the byte at an address. The call itself does not read it.
     *
     * @param address any
     */
    public boolean hostCanRead(long address) {
        return library.api.sim_host_can_read(address) == 1;
    }

    /**
     * The bytes of memory of the driver at this moment, whatever is queued.
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
     * Writes bytes to memory of the driver at this moment, as a kernel would.
     *
     * @param address of memory of any kind
     * @param bytes the bytes
     */
    public void poke(long address, byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment in = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            SimulatedDriverLibrary.requireOk(
                    library.api.sim_poke(address, in.address(), bytes.length), "memory that is live");
        }
    }
}
