package dev.arrowdevice.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.arrowdevice.testkit.SimulatedDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** A host function that a consumer puts on its stream, as a C program does, without anything of ours between. */
final class HostCallback {
    private HostCallback() {}

    @SuppressWarnings("restricted")
    static void launch(SimulatedDriver driver, long stream, Runnable action) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle run = MethodHandles.lookup().findVirtual(Runnable.class, "run", MethodType.methodType(void.class));
        MethodHandle target = MethodHandles.dropArguments(run.bindTo(action), 0, long.class);
        MemorySegment stub = linker.upcallStub(target, FunctionDescriptor.ofVoid(JAVA_LONG), Arena.global());
        MethodHandle launch = linker.downcallHandle(
                driver.symbols().find("cuLaunchHostFunc").orElseThrow(),
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, ADDRESS, JAVA_LONG));
        CudaRuntime gpu = CudaRuntime.open(0);
        try {
            int code = gpu.inContext(() -> {
                try {
                    return (int) launch.invokeExact(stream, stub, 0L);
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            });
            if (code != 0) {
                throw new IllegalStateException("cuLaunchHostFunc: " + code);
            }
        } finally {
            gpu.close();
        }
    }
}
