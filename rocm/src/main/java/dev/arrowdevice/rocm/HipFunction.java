package dev.arrowdevice.rocm;

/**
 * The functions of {@code libamdhip64} that are called. Parameters have one letter each: {@code p} a pointer, handle or
 * {@code size_t}, {@code i} an {@code int} or {@code unsigned}. All return a {@code hipError_t} but for those of the
 * texts, which return a pointer.
 */
enum HipFunction {
    INIT("hipInit", "i"),
    RUNTIME_GET_VERSION("hipRuntimeGetVersion", "p"),
    GET_DEVICE_COUNT("hipGetDeviceCount", "p"),
    GET_DEVICE("hipGetDevice", "p"),
    SET_DEVICE("hipSetDevice", "i"),
    GET_ERROR_NAME("hipGetErrorName", "i"),
    GET_ERROR_STRING("hipGetErrorString", "i"),
    PEEK_AT_LAST_ERROR("hipPeekAtLastError", "", Need.OPTIONAL),
    GET_LAST_ERROR("hipGetLastError", "", Need.OPTIONAL),

    DEVICE_GET_NAME("hipDeviceGetName", "pii", Need.OPTIONAL),
    DEVICE_GET_ATTRIBUTE("hipDeviceGetAttribute", "pii", Need.OPTIONAL),
    MEM_GET_INFO("hipMemGetInfo", "pp", Need.OPTIONAL),
    DEVICE_CAN_ACCESS_PEER("hipDeviceCanAccessPeer", "pii", Need.OPTIONAL),
    DEVICE_ENABLE_PEER_ACCESS("hipDeviceEnablePeerAccess", "ii", Need.OPTIONAL),
    POINTER_GET_ATTRIBUTES("hipPointerGetAttributes", "pp", Need.OPTIONAL),
    MEM_GET_ADDRESS_RANGE("hipMemGetAddressRange", "ppp", Need.OPTIONAL),

    MALLOC("hipMalloc", "pp"),
    FREE("hipFree", "p"),
    HOST_MALLOC("hipHostMalloc", "ppi"),
    HOST_FREE("hipHostFree", "p"),
    MALLOC_MANAGED("hipMallocManaged", "ppi", Need.OPTIONAL),
    MALLOC_ASYNC("hipMallocAsync", "ppp", Need.OPTIONAL),
    FREE_ASYNC("hipFreeAsync", "pp", Need.OPTIONAL),
    MEMCPY_ASYNC("hipMemcpyAsync", "pppip"),

    STREAM_CREATE_WITH_FLAGS("hipStreamCreateWithFlags", "pi"),
    STREAM_DESTROY("hipStreamDestroy", "p"),
    STREAM_SYNCHRONIZE("hipStreamSynchronize", "p"),
    STREAM_WAIT_EVENT("hipStreamWaitEvent", "ppi"),
    STREAM_ADD_CALLBACK("hipStreamAddCallback", "pppi", Need.OPTIONAL),
    /** Declared by the header of ROCm 5.2 and missing in its library. */
    LAUNCH_HOST_FUNC("hipLaunchHostFunc", "ppp", Need.OPTIONAL),

    EVENT_CREATE_WITH_FLAGS("hipEventCreateWithFlags", "pi"),
    EVENT_RECORD("hipEventRecord", "pp"),
    EVENT_QUERY("hipEventQuery", "p"),
    EVENT_SYNCHRONIZE("hipEventSynchronize", "p"),
    EVENT_DESTROY("hipEventDestroy", "p");

    private enum Need {
        ALWAYS,
        OPTIONAL
    }

    /** The symbol. */
    final String symbol;

    /** A letter for each parameter. */
    final String parameters;

    /** Whether the runtime can do without. */
    final boolean optional;

    HipFunction(String symbol, String parameters) {
        this(symbol, parameters, Need.ALWAYS);
    }

    HipFunction(String symbol, String parameters, Need need) {
        this.symbol = symbol;
        this.parameters = parameters;
        this.optional = need == Need.OPTIONAL;
    }
}
