"""DLPack, versioned and legacy, with NumPy and pyarrow."""

import ctypes

import numpy as np
import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest, address, java, unreleased

_NUMBERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")


class Legacy:
    """Shows an array as a producer from before DLPack 1.0 does: its method knows no version."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, stream=None):
        return self._array.__dlpack__(stream=stream)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


class FromNumpy(ExchangeTest):
    def test_arrays_of_all_numbers_come_without_a_copy_versioned_and_legacy(self):
        for name in _NUMBERS:
            for wrap in (lambda array: array, Legacy):
                with self.subTest(name):
                    array = np.arange(5).astype(name)
                    ours = self.owned(arrow_device.import_tensor(wrap(array)))
                    self.assertEqual(address(ours), array.ctypes.data)
                    self.assertEqual(pa.array(arrow_device.Array(ours)), pa.array(array))

    def test_booleans_come_as_bytes(self):
        ours = self.owned(arrow_device.import_tensor(np.array([True, False])))
        self.assertIn("bool8", str(ours.getType()))
        back = np.from_dlpack(arrow_device.Array(ours))
        self.assertEqual((back.dtype, back.tolist()), (np.dtype(bool), [True, False]))

    def test_a_matrix_comes_as_tensors_and_goes_back_with_its_shape(self):
        matrix = np.arange(24, dtype="int32").reshape(2, 3, 4)
        ours = self.owned(arrow_device.import_tensor(matrix))
        self.assertIn("fixed_shape_tensor", str(ours.getType()))
        back = np.from_dlpack(arrow_device.Array(ours))
        np.testing.assert_array_equal(back, matrix)
        self.assertEqual(back.ctypes.data, matrix.ctypes.data)

    def test_a_slice_begins_where_it_begins(self):
        array = np.arange(10.0)
        ours = self.owned(arrow_device.import_tensor(array[3:7]))
        self.assertEqual(address(ours), array.ctypes.data + 24)
        self.assertEqual(pa.array(arrow_device.Array(ours)).to_pylist(), [3.0, 4.0, 5.0, 6.0])

    def test_strides_are_copied_only_if_that_is_allowed(self):
        for array in (np.arange(10)[::2], np.arange(5)[::-1], np.broadcast_to(np.int64(7), (3,))):
            with self.subTest(str(array.strides)):
                with self.assertRaisesRegex(ValueError, "stride|dimension"):
                    arrow_device.import_tensor(array)
                ours = self.owned(arrow_device.import_tensor(array, arrow_device._java.ImportOptions.defaults().copying()))
                self.assertEqual(pa.array(arrow_device.Array(ours)).to_pylist(), array.tolist())

    def test_read_only_arrays_come_unless_they_are_to_be_written(self):
        array = np.arange(3)
        array.flags.writeable = False
        self.owned(arrow_device.import_tensor(array))
        with self.assertRaisesRegex(ValueError, "read-only"):
            arrow_device.import_tensor(array, arrow_device._java.ImportOptions.defaults().writable())

    def test_an_array_is_read_after_its_python_owner_is_gone_until_java_closes_it(self):
        class Seen(np.ndarray):
            dead = 0

            def __del__(self):
                Seen.dead += 1

        array = np.arange(1000).view(Seen)
        ours = arrow_device.import_tensor(array)
        del array
        self.assertEqual((Seen.dead, int(ours.getLong(999))), (0, 999))
        ours.close()
        self.assertEqual(Seen.dead, 1)

    def test_a_copy_can_be_demanded(self):
        array = np.arange(3)
        ours = self.owned(arrow_device.import_tensor(array, copy=True))
        self.assertNotEqual(address(ours), array.ctypes.data)

    def test_zero_elements_and_zero_dimensions(self):
        self.assertEqual(int(self.owned(arrow_device.import_tensor(np.empty(0))).getLength()), 0)
        self.assertEqual(int(self.owned(arrow_device.import_tensor(np.array(5))).getLength()), 1)


class ToNumpy(ExchangeTest):
    def test_arrays_of_all_numbers_go_without_a_copy_and_read_only(self):
        for name in _NUMBERS:
            with self.subTest(name):
                ours = self.ours(pa.array(np.arange(5).astype(name)))
                array = np.from_dlpack(arrow_device.Array(ours))
                self.assertEqual((array.dtype, array.tolist()), (np.dtype(name), [0, 1, 2, 3, 4]))
                self.assertEqual(array.ctypes.data, address(ours))
                self.assertFalse(array.flags.writeable)

    def test_writable_arrays_go_versioned_and_legacy(self):
        ours = self.ours(pa.array([1, 2, 3]))
        shown = arrow_device.Array(ours, writable=True)
        for wrap in (lambda array: array, Legacy):
            array = np.from_dlpack(wrap(shown))
            self.assertEqual(array.ctypes.data, address(ours))
        array = np.from_dlpack(shown)
        array += 1
        self.assertEqual(int(ours.getLong(0)), 2)

    def test_the_legacy_struct_refuses_what_is_read_only(self):
        shown = arrow_device.Array(self.ours(pa.array([1, 2, 3])))
        for version in (None, (0, 8)):
            with self.assertRaisesRegex(BufferError, "writable"):
                shown.__dlpack__(max_version=version)

    def test_a_slice_keeps_its_offset(self):
        ours = self.owned(self.ours(pa.array([1, 2, 3, 4])).slice(1, 2))
        self.assertEqual(np.from_dlpack(arrow_device.Array(ours)).tolist(), [2, 3])

    def test_numpy_keeps_the_memory_after_java_has_closed_it(self):
        ours = self.ours(pa.array([1, 2, 3]))
        array = np.from_dlpack(arrow_device.Array(ours))
        ours.close()
        self.assertEqual(array.tolist(), [1, 2, 3])
        self.assertEqual(unreleased(), (1, 0))

    def test_a_copy_is_a_copy_and_says_so(self):
        ours = self.ours(pa.array([1, 2, 3]))
        array = np.from_dlpack(arrow_device.Array(ours), copy=True)
        self.assertNotEqual(array.ctypes.data, address(ours))
        self.assertTrue(array.flags.writeable)
        capsule = arrow_device.Array(ours).__dlpack__(max_version=(1, 0), copy=True)
        flags = ctypes.c_uint64.from_address(arrow_device._capsules.pointer_in(capsule, b"dltensor_versioned") + 24)
        self.assertEqual(flags.value, 2)
        self.assertIn('"dltensor"', repr(arrow_device.Array(ours).__dlpack__(copy=True)))

    def test_what_dlpack_cannot_say_is_refused(self):
        for array in (pa.array([1, None]), pa.array(["a"]), pa.array([True, False])):
            with self.subTest(str(array.type)), self.assertRaises(BufferError):
                arrow_device.Array(self.ours(array)).__dlpack__(max_version=(1, 0))

    def test_devices_and_streams(self):
        shown = arrow_device.Array(self.ours(pa.array([1])), writable=True)
        self.assertEqual(shown.__dlpack_device__(), (1, 0))
        for version in (None, (1, 0)):
            with self.assertRaisesRegex(BufferError, "stream 1"):
                shown.__dlpack__(stream=1, max_version=version)
        with self.assertRaisesRegex(TypeError, "stream"):
            shown.__dlpack__(stream="default", max_version=(1, 0))
        for stream in (True, 1.0):
            with self.assertRaisesRegex(TypeError, "stream: a number is needed"):
                shown.__dlpack__(stream=stream, max_version=(1, 0))
            with self.assertRaises(TypeError):
                arrow_device.import_tensor(shown, stream=stream)
        for stream in (2**64, -(2**63) - 1, 10**5000):
            with self.assertRaisesRegex(ValueError, "stream: a stream's handle has 64 bits"):
                shown.__dlpack__(stream=stream, max_version=(1, 0))
            with self.assertRaisesRegex(ValueError, "stream: a stream's handle has 64 bits"):
                arrow_device.import_tensor(shown, stream=stream)
        for wrong in (1, "cpu", "10", (1,), (1, None), (1, 2, 3)):
            with self.subTest(wrong):
                with self.assertRaisesRegex(TypeError, "max_version: a pair of numbers is needed"):
                    shown.__dlpack__(max_version=wrong)
                with self.assertRaisesRegex(TypeError, "dl_device: a pair of numbers is needed"):
                    shown.__dlpack__(dl_device=wrong, max_version=(1, 0))
        with self.assertRaisesRegex(BufferError, r"not to \(2, 0\)"):
            shown.__dlpack__(dl_device=(2, 0), max_version=(1, 0))
        self.assertEqual(np.from_dlpack(shown, device="cpu").tolist(), [1])

    def test_memory_of_a_device_goes_to_the_cpu_by_a_copy_only(self):
        gpu = self.owned(java("dev.arrowdevice.testkit.device.SimulatedDevice").open(3))
        with self.ours(pa.array([1, 2, 3])).copyTo(gpu.device()) as there, arrow_device.Array(there) as shown:
            self.assertEqual(shown.__dlpack_device__(), (12, 3))
            with self.assertRaisesRegex(BufferError, "copy"):
                shown.__dlpack__(dl_device=(1, 0), max_version=(1, 0), copy=False)
            self.assertEqual(np.from_dlpack(shown, device="cpu").tolist(), [1, 2, 3])
            capsule = shown.__dlpack__(max_version=(1, 0))
            device = ctypes.c_int32.from_address(arrow_device._capsules.pointer_in(capsule, b"dltensor_versioned") + 40)
            self.assertEqual(device.value, 12)
            del capsule


class WithPyarrow(ExchangeTest):
    def test_arrays_of_pyarrow_come_versioned_and_legacy(self):
        array = pa.array([1.5, 2.5])
        for wrap in (lambda array: array, Legacy):
            ours = self.owned(arrow_device.import_tensor(wrap(array)))
            self.assertEqual(address(ours), array.buffers()[1].address)
            self.assertEqual(pa.array(arrow_device.Array(ours)), array)

    def test_arrays_go_to_pyarrow(self):
        ours = self.ours(pa.array([1, 2, 3]))
        back = pa.Array.from_dlpack(arrow_device.Array(ours))
        self.assertEqual(back.to_pylist(), [1, 2, 3])
        self.assertEqual(back.buffers()[1].address, address(ours))

    def test_tensors_go_both_ways(self):
        tensor = pa.Tensor.from_numpy(np.arange(6).reshape(2, 3))
        ours = self.owned(arrow_device.import_tensor(tensor))
        back = pa.Tensor.from_dlpack(arrow_device.Array(ours))
        self.assertEqual(back, tensor)


class Capsules(ExchangeTest):
    def test_a_tensor_that_nobody_consumes_is_deleted_with_its_capsule(self):
        shown = arrow_device.Array(self.ours(pa.array([1, 2])), writable=True)
        for version in (None, (1, 0)):
            capsule = shown.__dlpack__(max_version=version)
            self.assertIn("dltensor_versioned" if version else '"dltensor"', repr(capsule))
            self.assertEqual(unreleased(), (1, 0))
            del capsule
            self.assertEqual(unreleased(), (0, 0))

    def test_a_consumed_capsule_is_refused(self):
        for version in (None, (1, 0)):
            capsule = np.arange(3).__dlpack__(max_version=version)

            class Producer:
                def __dlpack__(self, **_):
                    return capsule

            self.owned(arrow_device.import_tensor(Producer()))
            self.assertIn("used_dltensor", repr(capsule))
            with self.assertRaisesRegex(ValueError, "used_dltensor"):
                arrow_device.import_tensor(Producer())

    def test_a_tensor_that_cannot_be_taken_is_deleted_once(self):
        for major in (1, 2):
            with self.subTest(f"version {major}"):
                deleted = []
                struct = (ctypes.c_uint64 * 10)()
                deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(deleted.append)
                struct[0] = major
                struct[2] = ctypes.cast(deleter, ctypes.c_void_p).value
                struct[5] = 1  # The CPU's; the type is an integer of no bits.

                class Producer:
                    def __dlpack__(self, **_):
                        return arrow_device._capsules.api.PyCapsule_New(ctypes.addressof(struct), b"dltensor_versioned", None)

                with self.assertRaises(ValueError):
                    arrow_device.import_tensor(Producer())
                self.assertEqual(deleted, [ctypes.addressof(struct)])

    def test_what_is_no_capsule_is_refused(self):
        class Producer:
            def __dlpack__(self, **_):
                return 3

        with self.assertRaisesRegex(ValueError, "dltensor.*this is a int"):
            arrow_device.import_tensor(Producer())

    def test_a_type_error_of_the_producer_is_its_own(self):
        class Producer:
            def __dlpack__(self, **_):
                raise TypeError("not today")

        with self.assertRaisesRegex(TypeError, "not today"):
            arrow_device.import_tensor(Producer())
