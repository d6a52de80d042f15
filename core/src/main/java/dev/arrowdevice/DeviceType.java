package dev.arrowdevice;

/**
 * The device type codes of the Arrow C Device data interface ({@code ArrowDeviceType}, a 32-bit integer compatible with
 * DLPack's {@code DLDeviceType}).
 *
 * <p>A code is an {@code int} and not an enum, as the specification says: "To ensure predictability with the ABI, we
 * use macros instead of an enum". Codes that are not listed here are passed on unchanged.
 */
public final class DeviceType {
    /** CPU memory, the same as an {@code ArrowArray} without a device. */
    public static final int CPU = 1;
    /** Memory of a CUDA GPU. */
    public static final int CUDA = 2;
    /** CPU memory pinned by CUDA. */
    public static final int CUDA_HOST = 3;
    /** Memory allocated by OpenCL. */
    public static final int OPENCL = 4;
    /** Memory allocated by Vulkan. */
    public static final int VULKAN = 7;
    /** Memory of an Apple GPU. */
    public static final int METAL = 8;
    /** A Verilog simulator buffer. */
    public static final int VPI = 9;
    /** Memory of an AMD GPU. */
    public static final int ROCM = 10;
    /** CPU memory pinned by ROCm. */
    public static final int ROCM_HOST = 11;
    /** An extension device, whose semantics its implementation defines. */
    public static final int EXT_DEV = 12;
    /** CUDA managed (unified) memory. */
    public static final int CUDA_MANAGED = 13;
    /** oneAPI unified shared memory. */
    public static final int ONEAPI = 14;
    /** Memory of a WebGPU device. */
    public static final int WEBGPU = 15;
    /** Memory of a Qualcomm Hexagon DSP. */
    public static final int HEXAGON = 16;

    private DeviceType() {}

    /**
     * The name of a code as in the specification's {@code ARROW_DEVICE_…} macros, or {@code "DEVICE_<code>"} for a code
     * that the specification does not list.
     */
    public static String name(int deviceType) {
        switch (deviceType) {
            case CPU:
                return "CPU";
            case CUDA:
                return "CUDA";
            case CUDA_HOST:
                return "CUDA_HOST";
            case OPENCL:
                return "OPENCL";
            case VULKAN:
                return "VULKAN";
            case METAL:
                return "METAL";
            case VPI:
                return "VPI";
            case ROCM:
                return "ROCM";
            case ROCM_HOST:
                return "ROCM_HOST";
            case EXT_DEV:
                return "EXT_DEV";
            case CUDA_MANAGED:
                return "CUDA_MANAGED";
            case ONEAPI:
                return "ONEAPI";
            case WEBGPU:
                return "WEBGPU";
            case HEXAGON:
                return "HEXAGON";
            default:
                return "DEVICE_" + deviceType;
        }
    }
}
