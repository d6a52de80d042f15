"""The SYCL USM Array Interface with dpnp, whose arrays have offsets and strides, wait and know read-only memory.

It took the arrays over from dpctl (dpctl.tensor is dpnp.tensor since dpctl 0.22). The environment of the tests has it not
(1.2 GB); they run where it is on PYTHONPATH.
"""

import gc
import threading
import unittest
import weakref

import pyarrow as pa

import arrow_device
from case import address, values
from usm import QUEUE, WHY_NOT, Hold, UsmTest, on, runtime

if not WHY_NOT:
    try:
        import dpnp.tensor as dpt
    except Exception as error:
        WHY_NOT = f"dpnp can't be used: {error}"


@unittest.skipIf(WHY_NOT, WHY_NOT)
class Dpnp(UsmTest):
    def test_arrays_of_each_kind_of_memory_and_type_come_without_a_copy(self):
        for kind in ("device", "shared", "host"):
            for dtype in ("?", "i1", "u2", "i4", "u8", "f2", "f4", "f8"):
                with self.subTest(kind=kind, dtype=dtype):
                    theirs = dpt.asarray([0, 1, 1], dtype=dtype, usm_type=kind, sycl_queue=QUEUE)
                    ours = self.usm(theirs)
                    self.assertEqual(address(ours), theirs._pointer)
                    self.assertEqual(values(ours), dpt.asnumpy(theirs).tolist())

    def test_views_have_offsets_and_strides(self):
        whole = dpt.reshape(dpt.arange(24, dtype="i4", sycl_queue=QUEUE), (4, 6))
        views = {
            "rows": (whole[1:3], False),
            "backwards": (whole[0, ::-1], True),
            "every other": (whole[0, ::2], True),
            "a column": (whole[:, 2], True),
            "a corner": (whole[1:3, 1:4], True),
            "transposed": (whole.T, True),
            "repeated": (dpt.broadcast_to(whole[0, :1], (5,)), True),
        }
        for name, (theirs, copied) in views.items():
            with self.subTest(name):
                if copied:
                    with self.assertRaisesRegex(ValueError, "dimension . has a stride of"):
                        arrow_device.import_usm(theirs)
                ours = self.usm(theirs, on().copying())
                self.assertEqual(values(ours), dpt.asnumpy(theirs).tolist())

    def test_dpnp_waits_for_its_queue_before_it_says_where_the_data_is(self):
        theirs = dpt.zeros(4, dtype="i4", usm_type="shared", sycl_queue=QUEUE)
        with Hold(QUEUE, theirs.usm_data, 4) as hold:
            threading.Thread(target=hold.resume).start()
            ours = self.usm(theirs)
            self.assertFalse(hold.is_pending())
            self.assertEqual([int(ours.getInt(i)) for i in range(4)], [7, 8, 9, 10])

    def test_an_array_is_read_after_its_owner_is_gone_until_we_close_it(self):
        theirs = dpt.arange(5, dtype="i8", sycl_queue=QUEUE)
        seen = weakref.ref(theirs)
        ours = arrow_device.import_usm(theirs)
        del theirs
        gc.collect()
        self.assertIsNotNone(seen())
        self.assertEqual(values(ours), [0, 1, 2, 3, 4])
        ours.close()
        gc.collect()
        self.assertIsNone(seen())

    def test_read_only_arrays_stay_so_both_ways(self):
        theirs = dpt.arange(5, dtype="i4", sycl_queue=QUEUE)
        theirs.flags["W"] = False
        self.assertEqual(values(self.usm(theirs)), [0, 1, 2, 3, 4])
        with self.assertRaisesRegex(ValueError, "read-only"):
            arrow_device.import_usm(theirs, on().writable())
        ours = self.on_device(pa.array([1, 2, 3], pa.int32()))
        for writable in (False, True):
            shown = dpt.asarray(arrow_device.Array(ours, writable=writable))
            self.assertEqual(shown.flags.writable, writable)
            self.assertEqual(shown._pointer, address(ours))

    def test_arrays_of_ours_go_without_a_copy_and_stay_as_long_as_they_are_used(self):
        ours = self.on_device(pa.array(range(10), pa.int32()))
        part = self.owned(ours.slice(4, 3))
        theirs = dpt.asarray(arrow_device.Array(part, writable=True))
        self.assertEqual(theirs._pointer, address(ours) + 16)
        ours.close()
        part.close()
        gc.collect()
        self.assertEqual(dpt.asnumpy(theirs * 2).tolist(), [8, 10, 12])

    def test_tensors_have_their_shape(self):
        tensor = pa.ExtensionArray.from_storage(
            pa.fixed_shape_tensor(pa.float32(), [2, 3]),
            pa.array([[1.0, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]], pa.list_(pa.float32(), 6)),
        )
        theirs = dpt.asarray(arrow_device.Array(self.on_device(tensor)))
        self.assertEqual(theirs.shape, (2, 2, 3))
        self.assertEqual(dpt.asnumpy(theirs).tolist(), tensor.to_numpy_ndarray().tolist())

    def test_no_elements_both_ways(self):
        self.assertEqual(values(self.usm(dpt.zeros((0,), dtype="i4", sycl_queue=QUEUE))), [])
        ours = self.owned(self.on_device(pa.array([1, 2])).slice(2, 0))
        self.assertEqual(dpt.asarray(arrow_device.Array(ours)).shape, (0,))

    def test_an_array_of_ours_meets_others_on_the_queue_that_is_named(self):
        ours = self.on_device(pa.array([1, 2, 3], pa.int64()))
        others = dpt.asarray([3, 2, 1], sycl_queue=QUEUE)
        with self.assertRaisesRegex(Exception, "placement"):
            dpt.asarray(arrow_device.Array(ours)) + others
        there = dpt.asarray(arrow_device.Array(ours)).to_device(QUEUE)
        self.assertEqual(there._pointer, address(ours))
        self.assertEqual(dpt.asnumpy(there + others).tolist(), [4, 4, 4])

    def test_dlpack_both_ways(self):
        theirs = dpt.arange(6, dtype="f4", usm_type="shared", sycl_queue=QUEUE)
        ours = self.owned(arrow_device.import_tensor(theirs))
        self.assertEqual((int(ours.getDevice().type()), address(ours)), (14, theirs._pointer))
        self.assertEqual(values(ours), [0, 1, 2, 3, 4, 5])
        ours = self.on_device(pa.array([1, 2, 3], pa.int64()))
        back = dpt.from_dlpack(arrow_device.Array(ours, writable=True))
        self.assertEqual(back._pointer, address(ours))
        ours.close()
        self.assertEqual(dpt.asnumpy(back).tolist(), [1, 2, 3])

    def test_what_dlpack_gets_is_there(self):
        theirs = dpt.zeros(4, dtype="i4", usm_type="shared", sycl_queue=QUEUE)
        with Hold(QUEUE, theirs.usm_data, 4) as hold:
            queue = self.owned(runtime().importQueue(QUEUE.addressof_ref()))
            threading.Thread(target=hold.resume).start()
            ours = self.owned(arrow_device.import_tensor(theirs, arrow_device._java.ImportOptions.defaults().after(queue)))
            self.assertEqual([int(ours.getInt(i)) for i in range(4)], [7, 8, 9, 10])
            self.assertFalse(hold.is_pending())
