"""The CUDA Array Interface and DLPack on an NVIDIA GPU, with CuPy, Numba and PyTorch, both ways.

They are skipped, with the reason, where there is no GPU or the package is missing: the environment of the tests has none of
the three (docs/gpu.md says how to add them). PyTorch's DLPack on the CPU needs no GPU.
"""

import gc
import unittest
import weakref

import numpy as np
import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest, address, java, values

CUDA = 2
LEGACY_DEFAULT_STREAM = 1
Devices = java("dev.arrowdevice.spi.Devices")
ExportOptions = arrow_device._java.ExportOptions
ImportOptions = arrow_device._java.ImportOptions


def _no_gpu():
    if Devices.find(Device(CUDA, 0)) is not None:
        return ""
    reasons = [f.reason() for f in Devices.discover() if str(f.provider()) == "CUDA" and f.reason() is not None]
    return "there is no GPU: " + (str(reasons[0].getMessage()) if reasons else "CUDA's module is missing")


def _missing(package):
    try:
        __import__(package)
        return ""
    except Exception as error:
        return f"{package} can't be used: {error}"


NO_GPU = _no_gpu()
NO_CUPY = NO_GPU or _missing("cupy")
NO_NUMBA = NO_GPU or _missing("numba.cuda")
NO_TORCH = NO_GPU or _missing("torch")
NO_TORCH_ON_CPU = _missing("torch")
if not NO_CUPY:
    import cupy
if not NO_NUMBA:
    import numba.cuda
if not NO_TORCH_ON_CPU:
    import torch

NUMBERS = ("i1", "i2", "i4", "i8", "u1", "f2", "f4", "f8")

# Works for some tenths of a second and then writes what was not there before.
SLOW = """extern "C" __global__ void slow(int *out, int count) {
    long long start = clock64();
    while (clock64() - start < 500000000LL) { }
    for (int i = 0; i < count; i++) out[i] = i + 7;
}"""


def runtime():
    return Devices.runtime(Device(CUDA, 0))


def on_gpu():
    return ImportOptions.on(Device(CUDA, 0))


class GpuTest(ExchangeTest):
    def taken(self, source, options=None):
        return self.owned(arrow_device.import_cuda(source, options))

    def on_device(self, theirs):
        """A DeviceArray of Java on the GPU."""
        imported = arrow_device.import_array(theirs)
        try:
            return self.owned(imported.copyTo(Device(CUDA, 0)))
        finally:
            imported.close()

    def pending(self, theirs):
        """A DeviceArray of Java that is still on its way to the GPU, and the queue that brings it."""
        queue = self.owned(runtime().createQueue())
        with self.ours(theirs) as here:
            return self.owned(here.copyToAsync(Device(CUDA, 0), queue)), queue

    def lives_until_closed(self, make, where):
        """Read after its owner is gone; released when Java closes it."""
        theirs = make()
        seen, pointer = weakref.ref(theirs), where(theirs)
        ours = arrow_device.import_cuda(theirs)
        del theirs
        gc.collect()
        self.assertIsNotNone(seen())
        self.assertEqual((address(ours), values(ours)), (pointer, [0, 1, 2, 3]))
        ours.close()
        gc.collect()
        self.assertIsNone(seen())


@unittest.skipIf(NO_CUPY, NO_CUPY)
class CuPy(GpuTest):
    def test_its_arrays_come_without_a_copy(self):
        for dtype in NUMBERS:
            with self.subTest(dtype):
                theirs = cupy.arange(4).astype(dtype)
                ours = self.taken(theirs)
                self.assertEqual(address(ours), theirs.data.ptr)
                self.assertEqual(values(ours), [0, 1, 2, 3])
        self.assertEqual(values(self.taken(cupy.arange(6, dtype="i4").reshape(2, 3))), [[0, 1, 2], [3, 4, 5]])
        self.assertEqual(values(self.taken(cupy.zeros(0, "i4"))), [])
        self.assertEqual(values(self.taken(cupy.array([True, False]))), [True, False])

    def test_views_are_copied_where_that_is_allowed(self):
        whole = cupy.arange(12, dtype="i4").reshape(3, 4)
        for theirs in (
            whole[0, ::2],
            whole[0, ::-1],
            whole[:, 1],
            whole[1:, 1:3],
            cupy.broadcast_to(whole[0, 1], (3,)),
        ):
            with self.assertRaisesRegex(ValueError, "dimension . has a stride of"):
                arrow_device.import_cuda(theirs)
            self.assertEqual(values(self.taken(theirs, on_gpu().copying())), theirs.get().tolist())

    def test_an_array_is_read_after_its_owner_is_gone_until_we_close_it(self):
        self.lives_until_closed(lambda: cupy.arange(4, dtype="i4"), lambda theirs: theirs.data.ptr)

    def test_work_of_its_stream_is_waited_for(self):
        slow = cupy.RawKernel(SLOW, "slow")
        for stream in (cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream.null, cupy.cuda.Stream.ptds):
            with self.subTest(str(stream)), stream:
                theirs = cupy.zeros(4, "i4")
                stream.synchronize()
                slow((1,), (1,), (theirs, np.int32(4)))
                ours = self.taken(theirs)
                self.assertFalse(stream.done)
                self.assertFalse(ours.getReadyEvent().isComplete())
                self.assertEqual(values(ours), [7, 8, 9, 10])

    def test_arrays_of_ours_go_without_a_copy_and_stay_as_long_as_they_are_used(self):
        for dtype in NUMBERS:
            with self.subTest(dtype):
                ours = self.on_device(pa.array(np.arange(4).astype(dtype)))
                theirs = cupy.asarray(arrow_device.Array(ours))
                self.assertEqual(theirs.data.ptr, address(ours))
                ours.close()
                gc.collect()
                self.assertEqual(theirs.get().tolist(), [0, 1, 2, 3])

    def test_it_waits_for_ours_by_the_stream_that_is_named(self):
        numbers = pa.array(range(1 << 22), pa.int64())
        ours, queue = self.pending(numbers)
        shown = arrow_device.Array(ours, options=ExportOptions.defaults().queue(queue))
        self.assertEqual(shown.__cuda_array_interface__["stream"], int(queue.getHandle()))
        self.assertEqual(int(cupy.asarray(shown)[-1]), (1 << 22) - 1)

    def test_masks_are_refused_by_cupy(self):
        shown = arrow_device.Array(self.on_device(pa.array([1, None])), options=ExportOptions.defaults().bitMask())
        with self.assertRaises(ValueError):
            cupy.asarray(shown)

    def test_dlpack_both_ways(self):
        theirs = cupy.arange(4, dtype="f4")
        stream = cupy.cuda.Stream(non_blocking=True)
        queue = self.owned(runtime().importQueue(stream.ptr))
        after = ImportOptions.defaults().after(queue)
        ours = self.owned(arrow_device.import_tensor(theirs, after, stream=stream.ptr))
        self.assertEqual((address(ours), values(ours)), (theirs.data.ptr, [0, 1, 2, 3]))
        pending, _ = self.pending(pa.array(range(1 << 22), pa.int64()))
        back = cupy.from_dlpack(arrow_device.Array(pending, writable=True))
        self.assertEqual((back.data.ptr, int(back[-1])), (address(pending), (1 << 22) - 1))


@unittest.skipIf(NO_NUMBA, NO_NUMBA)
class Numba(GpuTest):
    def test_its_arrays_come_without_a_copy(self):
        for dtype in NUMBERS:
            with self.subTest(dtype):
                theirs = numba.cuda.to_device(np.arange(4).astype(dtype))
                ours = self.taken(theirs)
                self.assertEqual(address(ours), theirs.__cuda_array_interface__["data"][0])
                self.assertEqual(values(ours), [0, 1, 2, 3])

    def test_an_array_is_read_after_its_owner_is_gone_until_we_close_it(self):
        self.lives_until_closed(
            lambda: numba.cuda.to_device(np.arange(4, dtype="i4")),
            lambda theirs: theirs.__cuda_array_interface__["data"][0],
        )

    def test_work_of_its_stream_is_waited_for(self):
        @numba.cuda.jit
        def slow(out):
            x = np.uint32(1)
            for _ in range(20_000_000):
                x = np.uint32(x * np.uint32(1664525) + np.uint32(1013904223))
            for i in range(out.size):
                out[i] = i + 7 + (1 if x == 4711 else 0)

        stream = numba.cuda.stream()
        slow[1, 1, stream](numba.cuda.device_array(4, "i4", stream=stream))  # compiles
        stream.synchronize()
        theirs = numba.cuda.device_array(4, "i4", stream=stream)
        slow[1, 1, stream](theirs)
        ours = self.taken(theirs)
        self.assertFalse(ours.getReadyEvent().isComplete())
        self.assertEqual(values(ours), [7, 8, 9, 10])

    def test_arrays_of_ours_go_without_a_copy_and_are_waited_for(self):
        ours, queue = self.pending(pa.array(range(1 << 22), pa.int64()))
        shown = arrow_device.Array(ours, options=ExportOptions.defaults().queue(queue))
        theirs = numba.cuda.as_cuda_array(shown)
        self.assertEqual(theirs.__cuda_array_interface__["data"][0], address(ours))
        self.assertEqual(int(theirs[-1]), (1 << 22) - 1)

    def test_a_kernel_works_on_an_array_of_ours(self):
        @numba.cuda.jit
        def double(numbers):
            i = numba.cuda.grid(1)
            if i < numbers.size:
                numbers[i] *= 2

        ours = self.on_device(pa.array([1, 2, 3], pa.int32()))
        double[1, 32](numba.cuda.as_cuda_array(arrow_device.Array(ours, writable=True)))
        numba.cuda.synchronize()
        self.assertEqual(values(ours), [2, 4, 6])

    def test_masks_are_refused_by_numba(self):
        shown = arrow_device.Array(self.on_device(pa.array([1, None])), options=ExportOptions.defaults().bitMask())
        with self.assertRaises(NotImplementedError):
            numba.cuda.as_cuda_array(shown)


@unittest.skipIf(NO_TORCH, NO_TORCH)
class PyTorch(GpuTest):
    types = ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64")

    def queue(self):
        """The current stream of PyTorch as a queue of ours: its attribute names none."""
        stream = torch.cuda.current_stream().cuda_stream or LEGACY_DEFAULT_STREAM
        return self.owned(runtime().importQueue(stream)), stream

    def test_its_tensors_come_without_a_copy(self):
        for name in self.types:
            with self.subTest(name):
                theirs = torch.arange(4, device="cuda").to(getattr(torch, name))
                ours = self.taken(theirs, on_gpu().after(self.queue()[0]))
                self.assertEqual((address(ours), values(ours)), (theirs.data_ptr(), [0, 1, 2, 3]))

    def test_what_is_queued_on_its_stream_is_waited_for_where_the_stream_is_named(self):
        theirs = torch.arange(1 << 20, device="cuda", dtype=torch.float32)
        torch.cuda.synchronize()
        torch.cuda._sleep(500_000_000)  # cycles that a kernel of PyTorch's takes
        theirs.add_(1)
        ours = self.taken(theirs, on_gpu().after(self.queue()[0]))
        self.assertFalse(ours.getReadyEvent().isComplete())
        self.assertEqual(values(ours)[-1], float(1 << 20))

    def test_views_are_copied_where_that_is_allowed(self):
        whole = torch.arange(12, device="cuda", dtype=torch.int32).reshape(3, 4)
        for theirs in (whole[0, ::2], whole[:, 1], whole.T, whole[0, 1].expand(3)):
            with self.assertRaisesRegex(ValueError, "dimension . has a stride of"):
                arrow_device.import_cuda(theirs)
            self.assertEqual(values(self.taken(theirs, on_gpu().copying())), theirs.cpu().tolist())

    def test_arrays_of_ours_go_where_they_may_be_written(self):
        ours, _ = self.pending(pa.array(range(1 << 22), pa.int64()))
        with self.assertRaises(TypeError):
            torch.as_tensor(arrow_device.Array(ours), device="cuda")
        # PyTorch reads no stream: version 2 waits.
        shown = arrow_device.Array(ours, writable=True, options=ExportOptions.defaults().cudaVersion(2))
        theirs = torch.as_tensor(shown, device="cuda")
        self.assertEqual((theirs.data_ptr(), int(theirs[-1])), (address(ours), (1 << 22) - 1))

    def test_dlpack_both_ways(self):
        queue, stream = self.queue()
        theirs = torch.arange(4, device="cuda", dtype=torch.float32)
        ours = self.owned(arrow_device.import_tensor(theirs, ImportOptions.defaults().after(queue), stream=stream))
        self.assertEqual((address(ours), values(ours)), (theirs.data_ptr(), [0, 1, 2, 3]))
        pending, _ = self.pending(pa.array(range(1 << 22), pa.int64()))
        back = torch.from_dlpack(arrow_device.Array(pending, writable=True))
        self.assertEqual((back.data_ptr(), int(back[-1])), (address(pending), (1 << 22) - 1))

    def test_what_needs_a_gradient_is_refused_by_pytorch(self):
        theirs = torch.zeros(2, device="cuda", requires_grad=True)
        with self.assertRaises(RuntimeError):
            arrow_device.import_cuda(theirs)


@unittest.skipIf(NO_TORCH_ON_CPU, NO_TORCH_ON_CPU)
class PyTorchOnTheCpu(ExchangeTest):
    def test_dlpack_both_ways(self):
        theirs = torch.arange(6, dtype=torch.float64).reshape(2, 3)
        ours = self.owned(arrow_device.import_tensor(theirs))
        self.assertEqual(int(ours.child(0).getData().buffer(1).getAddress()), theirs.data_ptr())
        self.assertEqual(values(ours), [[0, 1, 2], [3, 4, 5]])
        ours = self.ours(pa.array([1, 2, 3], pa.int16()))
        back = torch.from_dlpack(arrow_device.Array(ours, writable=True))
        self.assertEqual(back.data_ptr(), address(ours))
        ours.close()
        self.assertEqual(back.tolist(), [1, 2, 3])
