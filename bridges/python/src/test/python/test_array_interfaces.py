"""The CUDA Array Interface, on a simulated device, and the SYCL USM Array Interface."""

import numpy as np
import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest, address, java

Devices = java("dev.arrowdevice.spi.Devices")
ExportOptions = arrow_device._java.ExportOptions
ImportOptions = arrow_device._java.ImportOptions


class Cuda(ExchangeTest):
    def on_device(self, array):
        """An array on a simulated device, which is opened first and closed last."""
        self.gpu = self.owned(java("dev.arrowdevice.testkit.device.SimulatedDevice").open(0))
        return self.owned(self.ours(array).copyTo(self.gpu.device()))

    def test_the_dictionary_has_the_keys_and_types_that_the_specification_names(self):
        there = self.on_device(pa.array([1.5, 2.5, 3.5], pa.float32()))
        with arrow_device.Array(there) as shown:
            self.assertEqual(
                shown.__cuda_array_interface__,
                {
                    "shape": (3,),
                    "typestr": "<f4",
                    "data": (address(there), True),
                    "strides": None,
                    "version": 3,
                    "stream": None,
                },
            )
        with arrow_device.Array(there, writable=True, options=ExportOptions.defaults().cudaVersion(2)) as shown:
            dictionary = shown.__cuda_array_interface__
            self.assertEqual((dictionary["version"], dictionary["data"][1], "stream" in dictionary), (2, False, False))

    def test_the_stream_is_the_queue_s_handle(self):
        there = self.on_device(pa.array([1, 2]))
        queue = self.owned(self.gpu.runtime().createQueue())
        with arrow_device.Array(there, options=ExportOptions.defaults().queue(queue)) as shown:
            self.assertEqual(shown.__cuda_array_interface__["stream"], int(queue.getHandle()))

    def test_a_mask_is_an_object_with_the_attribute(self):
        there = self.on_device(pa.array([1, None, 3]))
        with arrow_device.Array(there, options=ExportOptions.defaults().bitMask()) as shown:
            mask = shown.__cuda_array_interface__["mask"].__cuda_array_interface__
            self.assertEqual((mask["shape"], mask["typestr"]), ((3,), "<t1"))
            self.assertEqual(mask["data"], (address(there, 0), True))
        with arrow_device.Array(there) as shown, self.assertRaisesRegex(AttributeError, "null"):
            shown.__cuda_array_interface__

    def test_an_array_comes_back_with_its_owner(self):
        there = self.on_device(pa.array([1, None, 3]))
        shown = arrow_device.Array(there, options=ExportOptions.defaults().bitMask())
        there.close()
        back = arrow_device.import_cuda(shown, ImportOptions.on(self.gpu.device()))
        del shown
        with back, back.copyTo(arrow_device._java.Device.CPU) as here:
            self.assertEqual(pa.array(arrow_device.Array(here)).to_pylist(), [1, None, 3])

    def test_memory_of_the_cpu_has_neither_attribute(self):
        shown = arrow_device.Array(self.ours(pa.array([1])))
        self.assertFalse(hasattr(shown, "__cuda_array_interface__"))
        self.assertFalse(hasattr(shown, "__sycl_usm_array_interface__"))
        with self.assertRaisesRegex(AttributeError, "device-accessible"):
            shown.__cuda_array_interface__
        with self.assertRaisesRegex(AttributeError, "not in USM of SYCL"):
            shown.__sycl_usm_array_interface__

    def test_dictionaries_that_are_wrong_say_where(self):
        good = {"shape": (1,), "typestr": "<i4", "data": (64, False), "version": 3}
        cases = {
            "typestr": ("<q4", "position 1"),
            "shape": ((-1,), r"shape\[0\]"),
            "data": ((2**64, False), r"data\[0\]"),
            "version": (4, "version 4"),
            "stream": (0, "stream is 0"),
            "strides": ("C", "strides"),
            "mask": (object(), "mask"),
        }
        for key, (value, message) in cases.items():
            source = type("Source", (), {"__cuda_array_interface__": {**good, key: value}})()
            with self.subTest(key), self.assertRaisesRegex(ValueError, message):
                arrow_device.import_cuda(source)
        with self.assertRaisesRegex(ValueError, "shape.*missing"):
            arrow_device.import_cuda(type("Source", (), {"__cuda_array_interface__": {}})())
        for wrong in (range(1), object()):
            source = type("Source", (), {"__cuda_array_interface__": {**good, "shape": wrong}})()
            with self.assertRaisesRegex(ValueError, "shape"):
                arrow_device.import_cuda(source)
        mask = type("Mask", (), {"__cuda_array_interface__": {**good, "typestr": "|b1"}})()
        mask.__cuda_array_interface__["mask"] = mask
        source = type("Source", (), {"__cuda_array_interface__": {**good, "mask": mask}})()
        with self.assertRaisesRegex(ValueError, "mask: mask"):
            arrow_device.import_cuda(source)
        cycle = []
        cycle.append(cycle)
        deep = [("", "<i4")]
        for _ in range(2000):
            deep = [("", deep)]
        for key, value in {"shape": cycle, "strides": cycle, "data": cycle, "descr": deep, "typestr": "\ud800"}.items():
            source = type("Source", (), {"__cuda_array_interface__": {**good, key: value}})()
            with self.subTest(key), self.assertRaisesRegex(ValueError, f"{key}|position 0"):
                arrow_device.import_cuda(source)
        with self.assertRaisesRegex(TypeError, "is a list, not a dictionary"):
            arrow_device.import_cuda(type("Source", (), {"__cuda_array_interface__": []})())

    def test_whose_memory_it_is_must_be_said_where_nobody_can_tell(self):
        for device in list(Devices.list()):
            if int(device.type()) in (2, 10):
                runtime = Devices.runtime(device)
                Devices.unregister(runtime)
                self.addCleanup(Devices.register, runtime)
        there = self.on_device(pa.array([1, 2]))
        face = {"shape": (2,), "typestr": "<i8", "data": (address(there), False), "version": 3}
        source = type("Source", (), {"__cuda_array_interface__": face})()
        with self.assertRaisesRegex(ValueError, r"ImportOptions.on\(device\)"):
            arrow_device.import_cuda(source)

    def test_an_array_that_was_closed_has_the_attributes_no_more(self):
        shown = arrow_device.Array(self.on_device(pa.array([1, 2])))
        shown.close()
        for name in ("__cuda_array_interface__", "__sycl_usm_array_interface__"):
            self.assertFalse(hasattr(shown, name))
            with self.assertRaisesRegex(AttributeError, "was closed"):
                getattr(shown, name)

    def test_keys_that_are_not_known_are_left_aside_and_numbers_of_numpy_are_numbers(self):
        there = self.on_device(pa.array([1, 2]))
        face = {
            "shape": (np.int64(2),),
            "typestr": "<i8",
            "data": (np.uint64(address(there)), np.bool_(False)),
            "strides": None,
            "version": 3,
            "of the future": object(),
            "\ud800": "\ud800",
            ("more than", "one"): 1,
        }
        source = type("Source", (), {"__cuda_array_interface__": face})()
        face["owner"] = face[None] = source
        face["cycle"] = face
        with arrow_device.import_cuda(source, ImportOptions.on(self.gpu.device())) as ours:
            self.assertEqual(address(ours), address(there))


class Sycl(ExchangeTest):
    def test_dictionaries_that_are_wrong_say_where(self):
        good = {"shape": (1,), "typestr": "<i4", "data": (64, False), "version": 1, "syclobj": "cpu"}
        cases = {"version": (2, "version 2"), "typestr": ("<M8[s]", "kinds b i u f c"), "syclobj": (None, "syclobj"), "offset": (object(), "offset")}
        for key, (value, message) in cases.items():
            source = type("Source", (), {"__sycl_usm_array_interface__": {**good, key: value}})()
            with self.subTest(key), self.assertRaisesRegex(ValueError, message):
                arrow_device.import_usm(source)
        source = type("Source", (), {"__sycl_usm_array_interface__": {**good, "syclobj": object()}})()
        with self.assertRaisesRegex(ValueError, "syclobj"):
            arrow_device.import_usm(source)

    def test_capsules_of_other_names_are_no_syclobj(self):
        good = {"shape": (1,), "typestr": "<i4", "data": (64, False), "version": 1}
        for name in (None, b"\xff", b"", b"used_SyclQueueRef"):
            capsule = arrow_device._capsules.api.PyCapsule_New(64, name, None)
            source = type("Source", (), {"__sycl_usm_array_interface__": {**good, "syclobj": capsule}})()
            with self.subTest(name), self.assertRaisesRegex(ValueError, "syclobj is a capsule named"):
                arrow_device.import_usm(source)

    def test_a_buffer_stays_where_it_is_as_long_as_its_array(self):
        class Buffered(bytearray):
            __sycl_usm_array_interface__ = {"shape": (2,), "typestr": "|u1", "version": 1, "syclobj": "cpu"}

        buffered = Buffered(b"ab")
        ours = arrow_device.import_usm(buffered, ImportOptions.on(Device(14, 99)))
        with ours, self.assertRaisesRegex(BufferError, "exports"):
            buffered.extend(bytes(1000))
        buffered.extend(bytes(1000))
        with self.assertRaisesRegex(ValueError, "leave the allocation"):
            Buffered.__sycl_usm_array_interface__["shape"] = (2000,)
            arrow_device.import_usm(buffered, ImportOptions.on(Device(14, 99)))
        buffered.extend(b"c")
