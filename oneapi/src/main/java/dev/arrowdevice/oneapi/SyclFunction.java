package dev.arrowdevice.oneapi;

/**
 * The functions of dpctl's C library that are called. A signature is a letter for the result and one for each parameter:
 * {@code p} a pointer, reference or {@code size_t}, {@code i} an {@code int} or enumeration, {@code b} a {@code bool},
 * {@code v} nothing.
 */
enum SyclFunction {
    GET_DPCPP_VERSION("DPCTLService_GetDPCPPVersion", "p"),
    STRING_DELETE("DPCTLCString_Delete", "vp"),

    GET_DEVICES("DPCTLDeviceMgr_GetDevices", "pi"),
    GET_CACHED_CONTEXT("DPCTLDeviceMgr_GetCachedContext", "pp"),
    CONTEXT_DELETE("DPCTLContext_Delete", "vp"),
    DEVICE_VECTOR_SIZE("DPCTLDeviceVector_Size", "pp"),
    DEVICE_VECTOR_GET_AT("DPCTLDeviceVector_GetAt", "ppp"),
    DEVICE_VECTOR_DELETE("DPCTLDeviceVector_Delete", "vp"),
    DEVICE_GET_NAME("DPCTLDevice_GetName", "pp"),
    DEVICE_GET_DRIVER_VERSION("DPCTLDevice_GetDriverVersion", "pp"),
    DEVICE_HAS_ASPECT("DPCTLDevice_HasAspect", "bpi"),
    DEVICE_ARE_EQUAL("DPCTLDevice_AreEq", "bpp"),
    DEVICE_DELETE("DPCTLDevice_Delete", "vp"),
    FILTER_SELECTOR_CREATE("DPCTLFilterSelector_Create", "pp"),
    DEVICE_SELECTOR_DELETE("DPCTLDeviceSelector_Delete", "vp"),
    DEVICE_CREATE_FROM_SELECTOR("DPCTLDevice_CreateFromSelector", "pp"),

    ALIGNED_ALLOC_DEVICE("DPCTLaligned_alloc_device", "pppp"),
    ALIGNED_ALLOC_HOST("DPCTLaligned_alloc_host", "pppp"),
    ALIGNED_ALLOC_SHARED("DPCTLaligned_alloc_shared", "pppp"),
    FREE_WITH_CONTEXT("DPCTLfree_with_context", "vpp"),
    GET_POINTER_TYPE("DPCTLUSM_GetPointerType", "ipp"),
    GET_POINTER_DEVICE("DPCTLUSM_GetPointerDevice", "ppp"),

    QUEUE_CREATE("DPCTLQueue_Create", "ppppi"),
    QUEUE_DELETE("DPCTLQueue_Delete", "vp"),
    QUEUE_GET_CONTEXT("DPCTLQueue_GetContext", "pp"),
    QUEUE_IS_IN_ORDER("DPCTLQueue_IsInOrder", "bp"),
    QUEUE_MEMCPY("DPCTLQueue_Memcpy", "ppppp"),
    QUEUE_SUBMIT_BARRIER("DPCTLQueue_SubmitBarrier", "pp"),
    QUEUE_SUBMIT_BARRIER_FOR_EVENTS("DPCTLQueue_SubmitBarrierForEvents", "pppp"),

    EVENT_GET_STATUS("DPCTLEvent_GetCommandExecutionStatus", "ip"),
    EVENT_WAIT_AND_THROW("DPCTLEvent_WaitAndThrow", "vp"),
    EVENT_DELETE("DPCTLEvent_Delete", "vp");

    /** The symbol. */
    final String symbol;

    /** A letter for the result and one for each parameter. */
    final String signature;

    SyclFunction(String symbol, String signature) {
        this.symbol = symbol;
        this.signature = signature;
    }
}
