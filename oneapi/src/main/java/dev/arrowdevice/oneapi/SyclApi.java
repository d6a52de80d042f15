package dev.arrowdevice.oneapi;

/**
 * The functions of dpctl's C library that we call, under their C names. References, pointers and sizes are
 * {@code long}s. A function that returns a reference or a pointer returns 0 if it failed.
 */
interface SyclApi {
    long DPCTLService_GetDPCPPVersion();

    void DPCTLCString_Delete(long text);

    long DPCTLDeviceMgr_GetDevices(int kinds);

    long DPCTLDeviceMgr_GetCachedContext(long device);

    void DPCTLContext_Delete(long context);

    long DPCTLDeviceVector_Size(long devices);

    long DPCTLDeviceVector_GetAt(long devices, long index);

    void DPCTLDeviceVector_Delete(long devices);

    long DPCTLDevice_GetName(long device);

    long DPCTLDevice_GetDriverVersion(long device);

    boolean DPCTLDevice_HasAspect(long device, int aspect);

    boolean DPCTLDevice_AreEq(long device, long other);

    void DPCTLDevice_Delete(long device);

    long DPCTLFilterSelector_Create(long text);

    void DPCTLDeviceSelector_Delete(long selector);

    long DPCTLDevice_CreateFromSelector(long selector);

    long DPCTLaligned_alloc_device(long alignment, long byteSize, long queue);

    long DPCTLaligned_alloc_host(long alignment, long byteSize, long queue);

    long DPCTLaligned_alloc_shared(long alignment, long byteSize, long queue);

    void DPCTLfree_with_context(long address, long context);

    int DPCTLUSM_GetPointerType(long address, long context);

    long DPCTLUSM_GetPointerDevice(long address, long context);

    long DPCTLQueue_Create(long context, long device, long errorHandler, int properties);

    void DPCTLQueue_Delete(long queue);

    long DPCTLQueue_GetContext(long queue);

    boolean DPCTLQueue_IsInOrder(long queue);

    long DPCTLQueue_Memcpy(long queue, long target, long source, long byteSize);

    long DPCTLQueue_SubmitBarrier(long queue);

    long DPCTLQueue_SubmitBarrierForEvents(long queue, long events, long count);

    int DPCTLEvent_GetCommandExecutionStatus(long event);

    void DPCTLEvent_WaitAndThrow(long event);

    void DPCTLEvent_Delete(long event);
}
