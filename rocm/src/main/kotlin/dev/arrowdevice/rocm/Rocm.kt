package dev.arrowdevice.rocm

/**
 * Opens an AMD GPU: `rocm(0).use { gpu -> … }`. The caller closes it; buffers, queues and events that are still there then
 * stay usable.
 *
 * @param device the number of the GPU, from 0, as HIP counts those that the process may see
 * @throws dev.arrowdevice.memory.DeviceUnavailableException if there is no HIP runtime or no such GPU; the message says what
 * would help
 */
public fun rocm(device: Int = 0): HipRuntime = HipRuntime.open(device)
