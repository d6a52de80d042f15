"""The CUDA Array Interface over memory of the simulated CUDA driver, with what CuPy, Numba and PyTorch write into it.

Where there is a GPU, test_gpu.py runs with the libraries themselves.
"""

import gc
import unittest

import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest, address, java, values

CUDA, ROCM = 2, 10
Devices = java("dev.arrowdevice.spi.Devices")
ExportOptions = arrow_device._java.ExportOptions
ImportOptions = arrow_device._java.ImportOptions


def _simulate(face, module):
    """Has a module take a simulated driver for the one of its GPUs."""
    driver = java("dev.arrowdevice.testkit.SimulatedDriver")
    face = getattr(java("dev.arrowdevice.testkit.SimulatedDriver$Library"), face)
    library = driver.build(face, java("java.util.Collections").emptySet())
    java("java.lang.System").setProperty(f"dev.arrowdevice.{module}.library", str(library.toString()))


_simulate("ROCM_6", "rocm")  # Before anybody looks for devices: a HIP that is installed would stay the process's.
GPU = Devices.find(Device(CUDA, 0)) is not None


class Library:
    """An array of another library in memory of a GPU, which it keeps."""

    def __init__(self, memory, **face):
        self._memory = memory
        self._face = {"shape": (3,), "typestr": "<i4", "data": (address(memory), False), **face}

    @property
    def __cuda_array_interface__(self):
        return self._face

    def __del__(self):
        self._memory.close()


@unittest.skipIf(GPU, "there is a GPU: test_gpu.py runs")
class Simulated(ExchangeTest):
    def setUp(self):
        _simulate("CUDA", "cuda")
        if Devices.find(Device(CUDA, 0)) is None:
            Devices.register(self.owned(java("dev.arrowdevice.cuda.CudaRuntime").open(0)))
        self.gpu = Devices.runtime(Device(CUDA, 0))

    def on_gpu(self, theirs):
        return self.ours(theirs).copyTo(self.gpu)

    def test_what_the_libraries_write_is_read_and_their_owners_let_go_once(self):
        stream = self.owned(self.gpu.createQueue())
        descr = [("", "<i4")]
        faces = {
            "CuPy": {"version": 3, "stream": 1, "strides": None, "descr": descr},
            "CuPy, a stream for each thread": {"version": 3, "stream": 2, "strides": None, "descr": descr},
            "CuPy, version 2": {"version": 2, "strides": None, "descr": descr},
            "Numba": {"version": 3, "stream": int(stream.getHandle()), "strides": None},
            "Numba, no stream": {"version": 3, "stream": None, "strides": None},
            "PyTorch": {"version": 2, "strides": None},
            "PyTorch, a view": {"version": 2, "strides": (4,)},
            "RMM": {"version": 0, "strides": None},
        }
        for name, face in faces.items():
            with self.subTest(name):
                theirs = Library(self.on_gpu(pa.array([1, 2, 3], pa.int32())), **face)
                where = theirs._face["data"][0]
                ours = arrow_device.import_cuda(theirs)
                del theirs
                gc.collect()
                with ours:
                    self.assertEqual((str(ours.getDevice()), address(ours)), ("CUDA:0", where))
                    self.assertEqual(ours.getReadyEvent() is not None, face.get("stream") is not None)
                    self.assertEqual(values(ours), [1, 2, 3])

    def test_a_mask_whose_only_owner_is_the_dictionary_lives_as_long_as_the_array(self):
        ended = []

        class Mask(Library):
            def __del__(self):
                ended.append(1)
                super().__del__()

        class Masked(Library):
            @property
            def __cuda_array_interface__(self):
                mask = Mask(self._bits, shape=(3,), typestr="<t1")
                mask._face["version"] = 2
                return {**self._face, "mask": mask}

        theirs = Masked(self.on_gpu(pa.array([1, 2, 3], pa.int32())), version=2)
        theirs._bits = self.on_gpu(pa.array([0b101, 0, 0], pa.uint8()))
        ours = arrow_device.import_cuda(theirs)
        del theirs
        gc.collect()
        self.assertEqual(ended, [])
        self.assertEqual(values(ours), [1, None, 3])
        ours.close()
        gc.collect()
        self.assertEqual(ended, [1])

    def test_a_gpu_s_memory_is_copied_where_it_lies_in_another_way(self):
        def make():
            memory = self.on_gpu(pa.array([1, 2, 3, 4, 5, 6], pa.int32()))
            return Library(memory, version=3, stream=1, strides=(8,))

        with self.assertRaisesRegex(ValueError, "dimension 0 has a stride of 8, not 4"):
            arrow_device.import_cuda(make())
        with arrow_device.import_cuda(make(), ImportOptions.on(Device(CUDA, 0)).copying()) as ours:
            self.assertEqual((str(ours.getDevice()), values(ours)), ("CUDA:0", [1, 3, 5]))

    def test_a_pointer_that_is_none_of_the_gpu_s_is_refused(self):
        theirs = Library(self.on_gpu(pa.array([1, 2, 3], pa.int32())), version=2)
        theirs._face["data"] = (pa.array([1, 2, 3]).buffers()[1].address, False)
        with self.assertRaisesRegex(ValueError, "is no memory of CUDA:0"):
            arrow_device.import_cuda(theirs)

    def test_memory_of_rocm_is_called_so_and_read(self):
        ours = self.owned(self.ours(pa.array([1, 2, 3])).copyTo(Devices.runtime(Device(ROCM, 0))))
        with arrow_device.import_cuda(arrow_device.Array(ours)) as back:
            self.assertEqual((str(back.getDevice()), address(back)), ("ROCM:0", address(ours)))
            self.assertEqual(values(back), [1, 2, 3])
        with arrow_device.import_cuda(arrow_device.Array(self.owned(self.on_gpu(pa.array([4]))))) as back:
            self.assertEqual((str(back.getDevice()), values(back)), ("CUDA:0", [4]))

    def test_of_no_elements_any_gpu_s_pointer_is_none(self):
        theirs = Library(self.on_gpu(pa.array([1])), shape=(0,), data=(0, False), version=2)
        with arrow_device.import_cuda(theirs) as ours:
            self.assertEqual(values(ours), [])

    def test_what_we_write_and_what_pytorch_needs(self):
        ours = self.owned(self.on_gpu(pa.array([1, 2, 3], pa.int32())))
        face = arrow_device.Array(ours).__cuda_array_interface__
        self.assertEqual(
            face,
            {
                "shape": (3,),
                "typestr": "<i4",
                "data": (address(ours), True),
                "strides": None,
                "version": 3,
                "stream": None,
            },
        )
        queue = self.owned(self.gpu.createQueue())
        shown = arrow_device.Array(ours, options=ExportOptions.defaults().queue(queue))
        self.assertEqual(shown.__cuda_array_interface__["stream"], int(queue.getHandle()))
        face = arrow_device.Array(
            ours, writable=True, options=ExportOptions.defaults().cudaVersion(2)
        ).__cuda_array_interface__
        self.assertEqual((face["version"], face["data"][1], "stream" in face), (2, False, False))

    def test_dlpack_on_the_gpu_with_each_stream(self):
        ours = self.owned(self.on_gpu(pa.array([1, 2, 3], pa.int32())))
        shown = arrow_device.Array(ours, writable=True)
        self.assertEqual(shown.__dlpack_device__(), (2, 0))
        queue = self.owned(self.gpu.createQueue())
        for stream in (None, -1, 1, 2, int(queue.getHandle())):
            with self.subTest(stream):
                with arrow_device.import_tensor(shown, ImportOptions.defaults(), stream=stream) as back:
                    self.assertEqual(address(back), address(ours))
                    # What was ordered before the stream is there after it: of None too, which is the default stream.
                    self.assertEqual(back.getReadyEvent() is not None, stream != -1)
                    self.assertEqual(values(back), [1, 2, 3])
        with self.assertRaisesRegex(BufferError, "stream"):
            shown.__dlpack__(stream=0, max_version=(1, 0))
