package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Which devices Arrow C++ knows: the CPU, and those that were registered with it. */
public final class CppDevice {
    private static final CppFunction DEFAULT_MAPPER = CppFunction.named("_ZN5arrow25DefaultDeviceMemoryMapperEil");
    private static final CppFunction REGISTER = CppFunction.named(
            "_ZN5arrow20RegisterDeviceMapperENS_20DeviceAllocationTypeESt8functionIFNS_6ResultISt10shared_ptrINS_13MemoryManagerEEEElEE");
    private static final CppFunction CPU_MEMORY_MANAGER = CppFunction.named("_ZN5arrow26default_cpu_memory_managerEv");

    /** The content of a {@code std::function} of a plain function from device type and id to memory manager. */
    private static final String BY_TYPE_AND_ID =
            "_ZNSt17_Function_handlerIFN5arrow6ResultISt10shared_ptrINS0_13MemoryManagerEEEEilEPS6_E";

    private static final CppFunction MANAGER =
            CppFunction.named(BY_TYPE_AND_ID + "10_M_managerERSt9_Any_dataRKS9_St18_Manager_operation");
    private static final CppFunction INVOKER = CppFunction.named(BY_TYPE_AND_ID + "9_M_invokeERKSt9_Any_dataOiOl");

    /** The same for a function of the id alone. */
    private static final String BY_ID =
            "_ZNSt17_Function_handlerIFN5arrow6ResultISt10shared_ptrINS0_13MemoryManagerEEEElEPS6_E";

    private static final CppFunction MANAGER_BY_ID =
            CppFunction.named(BY_ID + "10_M_managerERSt9_Any_dataRKS9_St18_Manager_operation");
    private static final CppFunction INVOKER_BY_ID = CppFunction.named(BY_ID + "9_M_invokeERKSt9_Any_dataOl");

    /** A {@code Result<shared_ptr<MemoryManager>>}: status, object, control block. */
    private static final MemoryLayout RESULT =
            MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private CppDevice() {}

    /**
     * Makes Arrow C++ take memory of that device type for memory that the host can read. Once per type and process.
     *
     * @throws CppException if the type is registered already
     */
    @SuppressWarnings("restricted")
    public static void registerAsHostMemory(int deviceType) {
        try (CppScope scope = new CppScope()) {
            MemorySegment mapper = Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            CppDevice.class,
                                            "cpuMemoryManager",
                                            MethodType.methodType(MemorySegment.class, long.class)),
                            FunctionDescriptor.of(RESULT, ValueLayout.JAVA_LONG),
                            Arena.global());
            long function = scope.addresses(mapper.address(), 0, MANAGER_BY_ID.address(), INVOKER_BY_ID.address());
            scope.status(REGISTER, deviceType, function);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The {@code std::function} around C++'s own mapper, which asks the registry. */
    static long defaultMapper(CppScope scope) {
        return scope.addresses(DEFAULT_MAPPER.address(), 0, MANAGER.address(), INVOKER.address());
    }

    private static MemorySegment cpuMemoryManager(long deviceId) {
        MemorySegment result = Arena.ofAuto().allocate(RESULT);
        try (CppScope scope = new CppScope()) {
            long manager = CPU_MEMORY_MANAGER.returning(scope);
            result.set(ValueLayout.JAVA_LONG, Long.BYTES, CppMemory.getLong(manager));
            result.set(ValueLayout.JAVA_LONG, 2 * Long.BYTES, CppMemory.getLong(manager + Long.BYTES));
        }
        return result;
    }
}
