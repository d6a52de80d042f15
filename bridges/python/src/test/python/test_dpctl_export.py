"""A DeviceArray becomes memory of dpctl, by the SYCL USM Array Interface, in the process that both run in."""

import gc
import threading

import numpy as np
import pyarrow as pa

import arrow_device
from case import address, unreleased, values
from usm import KINDS, QUEUE, WHY_NOT, Hold, UsmTest, needs_dpctl, runtime

if not WHY_NOT:
    import dpctl
    import dpctl.memory


@needs_dpctl
class DpctlExport(UsmTest):
    def test_memory_of_each_kind_goes_without_a_copy_and_stays_as_long_as_it_is_used(self):
        for kind in KINDS:
            with self.subTest(kind):
                ours = self.on_device(pa.array([1, 2, 3], pa.int32()), kind)
                shown = arrow_device.Array(ours)
                theirs = dpctl.memory.as_usm_memory(shown)
                self.assertEqual(theirs._pointer, address(ours))
                self.assertEqual(theirs.get_usm_type(), kind)
                self.assertEqual(theirs.sycl_device, QUEUE.sycl_device)
                del shown
                ours.close()
                gc.collect()
                self.assertEqual(np.frombuffer(theirs.copy_to_host(), "i4").tolist(), [1, 2, 3])

    def test_a_slice_begins_where_it_does(self):
        for kind in KINDS:
            with self.subTest(kind):
                ours = self.on_device(pa.array(range(10), pa.int16()), kind)
                part = self.owned(ours.slice(3, 4))
                theirs = dpctl.memory.as_usm_memory(arrow_device.Array(part))
                self.assertEqual(theirs._pointer, address(ours) + 6)
                self.assertEqual(np.frombuffer(theirs.copy_to_host(), "i2").tolist(), [3, 4, 5, 6])

    def test_what_the_attribute_says(self):
        ours = self.on_device(pa.array([1, 2, 3], pa.int32()), "shared")
        for writable in (False, True):
            face = arrow_device.Array(ours, writable=writable).__sycl_usm_array_interface__
            self.assertEqual(face["data"], (address(ours), not writable))
            self.assertEqual((face["shape"], face["typestr"], face["version"], face["offset"]), ((3,), "<i4", 1, 0))
            self.assertIsNone(face["strides"])
            self.assertEqual(dpctl.SyclQueue(face["syclobj"]).sycl_context, QUEUE.sycl_context)

    def test_what_is_written_there_is_seen_here(self):
        ours = self.on_device(pa.array([1, 2, 3], pa.int32()), "shared")
        theirs = dpctl.memory.as_usm_memory(arrow_device.Array(ours, writable=True))
        theirs.copy_from_host(np.array([4, 5, 6], "i4").tobytes())
        self.assertEqual([int(ours.getInt(i)) for i in range(3)], [4, 5, 6])

    def test_the_export_waits_for_work_that_is_pending(self):
        device = runtime()
        scratch = KINDS["shared"](64, queue=QUEUE)
        # The device's own memory: what the host can write it copies at once. It is filled before one processor is kept
        # busy: with two of them the device would do nothing else.
        ours = self.on_device(pa.array([1, 2, 3], pa.int32()), "device")
        with Hold(QUEUE, scratch, 1) as hold:
            queue = self.owned(device.importQueue(QUEUE.addressof_ref()))
            pending = self.owned(ours.copyToAsync(device, queue))
            self.assertFalse(pending.getReadyEvent().isComplete())
            threading.Thread(target=hold.resume).start()
            face = arrow_device.Array(pending).__sycl_usm_array_interface__
            self.assertFalse(hold.is_pending())
            self.assertTrue(pending.getReadyEvent().isComplete())
            self.assertEqual(face["data"][0], address(pending))

    def test_no_elements(self):
        ours = self.on_device(pa.array([1, 2, 3], pa.int32()), "shared")
        part = self.owned(ours.slice(1, 0))
        theirs = dpctl.memory.as_usm_memory(arrow_device.Array(part))
        self.assertEqual(theirs.get_usm_type(), "shared")

    def test_what_dpctl_takes_comes_back_to_us(self):
        for kind in KINDS:
            with self.subTest(kind):
                ours = self.on_device(pa.array([1, 2, 3], pa.int64()), kind)
                theirs = dpctl.memory.as_usm_memory(arrow_device.Array(ours))
                ours.close()
                again = self.usm(theirs)
                del theirs
                self.assertEqual(np.array(values(again), "u1").view("i8").tolist(), [1, 2, 3])

    def test_what_the_interface_cannot_say(self):
        cases = {
            "null": pa.array([1, None]),
            "typestr|no type": pa.array(["a"]),
            "toBool8": pa.array([True]),
        }
        for text, theirs in cases.items():
            with self.subTest(text):
                shown = arrow_device.Array(self.on_device(theirs, "shared"))
                with self.assertRaisesRegex(AttributeError, text):
                    shown.__sycl_usm_array_interface__
                self.assertFalse(hasattr(shown, "__sycl_usm_array_interface__"))
        on_host = arrow_device.Array(self.ours(pa.array([1])))
        self.assertFalse(hasattr(on_host, "__sycl_usm_array_interface__"))

    def test_a_device_array_of_ours_goes_through_arrow_too(self):
        ours = self.on_device(pa.array([1, 2, 3]), "shared")
        again = self.owned(arrow_device.import_array(arrow_device.Array(ours)))
        self.assertEqual(address(again), address(ours))
        self.assertEqual(int(again.getLong(1)), 2)
        self.assertGreater(sum(unreleased()), 0)
