package dev.arrowdevice.testkit.arrowcpp;

/** What the device forms of import ask for: who maps a device's number to a memory manager. */
final class CppDevice {
    private static final CppFunction DEFAULT_MAPPER = CppFunction.named("_ZN5arrow25DefaultDeviceMemoryMapperEil");
    private static final String HANDLER =
            "_ZNSt17_Function_handlerIFN5arrow6ResultISt10shared_ptrINS0_13MemoryManagerEEEEilEPS6_E";
    private static final CppFunction MANAGER =
            CppFunction.named(HANDLER + "10_M_managerERSt9_Any_dataRKS9_St18_Manager_operation");
    private static final CppFunction INVOKER = CppFunction.named(HANDLER + "9_M_invokeERKSt9_Any_dataOiOl");

    private CppDevice() {}

    /** The {@code std::function} around C++'s own mapper, which knows the devices that were registered: CPU only. */
    static long defaultMapper(CppScope scope) {
        return scope.addresses(DEFAULT_MAPPER.address(), 0, MANAGER.address(), INVOKER.address());
    }
}
