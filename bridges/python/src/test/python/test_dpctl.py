"""What dpctl has becomes a DeviceArray, by the SYCL USM Array Interface, in the process that both run in."""

import gc
import threading

import numpy as np

import arrow_device
from case import address, values
from usm import ABSENT, KINDS, ONEAPI, QUEUE, WHY_NOT, Hold, Usm, UsmTest, Watched, needs_dpctl, on, runtime

if not WHY_NOT:
    import dpctl

READABLE = {"device": False, "shared": True, "host": True}


@needs_dpctl
class Dpctl(UsmTest):
    def refused(self, watched, error, text, make, options=None, **kwargs):
        """One clear error, after which nothing holds the owner."""
        ended = watched.ended
        with self.assertRaisesRegex(error, text) as caught:
            arrow_device.import_usm(make(), options, **kwargs)
        # The traceback has a frame that refers to the object.
        caught.exception = None
        gc.collect()
        self.assertEqual(watched.ended, ended + 1)

    def test_memory_of_each_kind_comes_without_a_copy(self):
        for kind in KINDS:
            with self.subTest(kind):
                theirs = KINDS[kind](64, queue=QUEUE)
                theirs.copy_from_host(bytes(range(64)))
                ours = self.usm(theirs)
                self.assertEqual(address(ours), theirs._pointer)
                self.assertEqual(int(ours.getDevice().type()), ONEAPI)
                self.assertEqual(values(ours), list(range(64)))

    def test_the_host_reads_what_it_may_where_it_is_and_nothing_else(self):
        """ "The type of the USM pointer stored in the object can be queried using methods of the dpctl"."""
        for kind in KINDS:
            with self.subTest(kind):
                ours = self.usm(Usm([1, 2, 3], kind))
                self.assertEqual(bool(ours.getData().isHostReadable()), READABLE[kind])
                if READABLE[kind]:
                    self.assertEqual(int(ours.getLong(2)), 3)
                else:
                    with self.assertRaisesRegex(Exception, "cannot read memory of ONEAPI:0"):
                        ours.getLong(2)

    def test_numbers_of_each_type(self):
        for dtype in "?bBhHiIlLefd":
            with self.subTest(dtype):
                theirs = np.array([0, 1, 1], dtype)
                self.assertEqual(values(self.usm(Usm(theirs, "shared"))), theirs.tolist())
        self.assertEqual(values(self.usm(Usm(np.array([1 + 2j], "F"), "shared"))), [[1.0, 2.0]])

    def test_the_offset_counts_elements(self):
        for kind in KINDS:
            with self.subTest(kind):
                theirs = Usm(np.arange(10, dtype="i4"), kind, shape=(4,), offset=3)
                ours = self.usm(theirs)
                self.assertEqual(address(ours), theirs.address + 12)
                self.assertEqual(values(ours), [3, 4, 5, 6])

    def test_strides_count_elements_and_rows_that_lie_close_are_not_copied(self):
        for kind in KINDS:
            with self.subTest(kind):
                theirs = Usm(np.arange(6, dtype="i4"), kind, shape=(2, 3), strides=(3, 1))
                ours = self.usm(theirs)
                self.assertEqual(int(ours.child(0).getData().buffer(1).getAddress()), theirs.address)
                self.assertEqual(values(ours), [[0, 1, 2], [3, 4, 5]])

    def test_strides_without_a_counterpart_are_copied_where_that_is_allowed_and_named_where_it_is_not(self):
        layouts = {
            "gaps": ((3,), (2,), 0, [0, 2, 4], "dimension 0 has a stride of 8, not 4"),
            "negative": ((4,), (-1,), 5, [5, 4, 3, 2], "dimension 0 has a stride of -4, not 4"),
            "zero": ((3,), (0,), 2, [2, 2, 2], "dimension 0 has a stride of 0, not 4"),
            "columns": ((2, 3), (1, 2), 0, [[0, 2, 4], [1, 3, 5]], "dimension .* has a stride"),
            "rows with gaps": ((2, 2), (4, 1), 0, [[0, 1], [4, 5]], "dimension 0 has a stride of 16, not 8"),
        }
        watched = Watched()
        for kind in KINDS:
            for name, (shape, strides, offset, expected, error) in layouts.items():
                with self.subTest(kind=kind, layout=name):

                    def make():
                        numbers = np.arange(8, dtype="i4")
                        return watched.usm(numbers, kind, shape=shape, strides=strides, offset=offset)

                    self.refused(watched, ValueError, error, make)
                    ended = watched.ended
                    copy = self.usm(make(), on().copying())
                    gc.collect()
                    self.assertEqual(watched.ended, ended + 1)  # A copy needs its source no more.
                    self.assertEqual(int(copy.getDevice().type()), ONEAPI)
                    self.assertEqual(values(copy), expected)

    def test_an_array_is_read_after_its_owner_is_gone_until_we_close_it(self):
        for kind in KINDS:
            with self.subTest(kind):
                watched = Watched()
                ours = arrow_device.import_usm(watched.usm([1, 2, 3], kind))
                part = ours.slice(1, 2)
                gc.collect()
                self.assertEqual(watched.ended, 0)
                self.assertEqual(values(ours), [1, 2, 3])
                ours.close()
                gc.collect()
                self.assertEqual(watched.ended, 0)
                self.assertEqual(values(part), [2, 3])
                part.close()
                gc.collect()
                self.assertEqual(watched.ended, 1)

    def test_an_exporter_with_pending_work_waits_first(self):
        theirs = Usm(np.zeros(4, "i4"), "shared")
        with Hold(QUEUE, theirs.memory, 4) as hold:
            theirs._pending = hold.event
            threading.Thread(target=hold.resume).start()
            ours = self.usm(theirs)
            self.assertFalse(hold.is_pending())
            self.assertEqual([int(ours.getInt(i)) for i in range(4)], [7, 8, 9, 10])

    def test_work_of_a_queue_that_is_named_is_waited_for_by_who_reads(self):
        for kind in KINDS:
            with self.subTest(kind):
                theirs = Usm(np.zeros(4, "i4"), kind)
                with Hold(QUEUE, theirs.memory, 4) as hold:
                    queue = self.owned(runtime().importQueue(QUEUE.addressof_ref()))
                    ours = self.usm(theirs, on().after(queue))
                    self.assertFalse(ours.getReadyEvent().isComplete())
                    self.assertTrue(hold.is_pending())
                    threading.Thread(target=hold.resume).start()
                    self.assertEqual(values(ours), [7, 8, 9, 10])
                    self.assertTrue(ours.getReadyEvent().isComplete())

    def test_each_form_of_syclobj(self):
        # "A Python object indicating context to which USM pointer is bound"
        class Capsule:
            def _get_capsule(self):
                return QUEUE.sycl_context._get_capsule()

        forms = {
            "filter": "opencl:cpu:0",
            "queue": QUEUE,
            "context": QUEUE.sycl_context,
            "capsule of a queue": QUEUE._get_capsule(),
            "capsule of a context": QUEUE.sycl_context._get_capsule(),
            "object with _get_capsule": Capsule(),
        }
        for name, form in forms.items():
            with self.subTest(name):
                self.assertEqual(values(self.usm(Usm([5], "shared", syclobj=form))), [5])

    def test_a_pointer_of_another_context_is_refused(self):
        # A context of the same device is the same context to SYCL, one of a part of it is not.
        if QUEUE.sycl_device.max_compute_units < 2:
            self.skipTest("a device of one unit has no part that could have another context")
        part = QUEUE.sycl_device.create_sub_devices(partition=[1])[0]
        queue = dpctl.SyclQueue(dpctl.SyclContext(part), part)
        watched = Watched()
        for kind in KINDS:
            with self.subTest(kind):
                self.refused(
                    watched, ValueError, "is no memory of ONEAPI:0", lambda: watched.usm([1, 2], kind, queue=queue)
                )

    def test_a_syclobj_that_the_pointer_is_not_bound_to_is_refused(self):
        # "context to which USM pointer is bound"
        cases = [("level_zero:gpu:99", 'string "level_zero:gpu:99" names no device')]
        if QUEUE.sycl_device.max_compute_units > 1:
            part = QUEUE.sycl_device.create_sub_devices(partition=[1])[0]
            context = dpctl.SyclContext(part)
            for other in (context, dpctl.SyclQueue(context, part), context._get_capsule()):
                cases.append((other, "is not bound to the context of syclobj"))
        watched = Watched()
        for syclobj, error in cases:
            for kind in KINDS:
                with self.subTest(syclobj=syclobj, kind=kind):
                    self.refused(watched, ValueError, error, lambda: watched.usm([1, 2], kind, syclobj=syclobj))

    def test_a_pointer_of_no_context_is_refused(self):
        numbers = np.arange(4)
        watched = Watched()
        self.refused(
            watched,
            ValueError,
            "is no memory of ONEAPI:0",
            lambda: watched.usm([1], data=(numbers.ctypes.data, False)),
        )

    def test_true_beside_the_pointer_is_read_only(self):
        theirs = Usm([1, 2], "shared")
        theirs._face["data"] = (theirs.address, True)
        self.assertEqual(values(self.usm(theirs)), [1, 2])
        with self.assertRaisesRegex(ValueError, "read-only"):
            arrow_device.import_usm(theirs, on().writable())

    def test_dpctl_says_true_of_memory_that_may_be_written(self):
        theirs = KINDS["shared"](8, queue=QUEUE)
        self.assertIs(theirs.__sycl_usm_array_interface__["data"][1], True)
        ours = self.usm(theirs, on().writable())
        self.assertEqual(address(ours), theirs._pointer)
        with self.assertRaisesRegex(ValueError, "read-only"):
            arrow_device.import_usm(theirs, on().writable(), strict=True)

    def test_the_buffer_is_used_if_a_data_key_is_not_present(self):
        memory = KINDS["shared"](4, queue=QUEUE)
        memory.copy_from_host(bytes([1, 2, 3, 4]))

        class Buffered(type(memory)):
            @property
            def __sycl_usm_array_interface__(self):
                face = super().__sycl_usm_array_interface__
                return {key: value for key, value in face.items() if key != "data"}

        buffered = Buffered(memory)
        ours = self.usm(buffered, on().writable())
        self.assertEqual((address(ours), values(ours)), (buffered._pointer, [1, 2, 3, 4]))

    def test_a_buffer_extends_the_interface_to_other_python_objects_whose_memory_must_be_usm(self):
        # "Use of a buffer interface extends the interoperability to other Python objects"
        face = {"shape": (2,), "typestr": "|u1", "version": 1, "syclobj": QUEUE}
        for kind in bytes, bytearray:
            with self.subTest(kind.__name__):

                class Buffered(kind):
                    __sycl_usm_array_interface__ = face

                with self.assertRaisesRegex(ValueError, "is no memory of ONEAPI:0"):
                    arrow_device.import_usm(Buffered(b"ab"))
                with self.assertRaisesRegex(ValueError, "leave the allocation of 1 bytes"):
                    arrow_device.import_usm(Buffered(b"a"))

    def test_no_elements(self):
        for kind in KINDS:
            for data in (0, 4096, None):
                with self.subTest(kind=kind, data=data):
                    theirs = Usm(np.zeros(0, "i4"), kind)
                    if data is not None:
                        theirs._face["data"] = (data, False)
                    self.assertEqual(values(self.usm(theirs)), [])
        self.assertEqual(values(self.usm(Usm(np.zeros((2, 0), "i4")))), [[], []])

    def test_bad_input_is_one_clear_error_and_the_owner_is_let_go(self):
        cases = [
            ("version 2 is not known", {"version": 2}),
            ("version 0 is not known", {"version": 0}),
            ("version", {"version": ABSENT}),
            ("version", {"version": "1"}),
            ("shape", {"shape": ABSENT}),
            ("shape", {"shape": 3}),
            ("shape", {"shape": ("3",)}),
            ("shape", {"shape": (2.0,)}),
            ("shape.*no size", {"shape": (-1,)}),
            ("more elements", {"shape": (2**40, 2**40)}),
            ("typestr", {"typestr": ABSENT}),
            ("typestr", {"typestr": 4}),
            ("typestr", {"typestr": "<q9"}),
            ("typestr", {"typestr": ""}),
            ("kinds b i u f c", {"typestr": "|O"}),
            ("kinds b i u f c", {"typestr": "<M8[s]"}),
            ("byte order", {"typestr": ">i8"}),
            ("data", {"data": ABSENT}),
            ("data", {"data": 5}),
            ("data", {"data": (1,)}),
            ("data", {"data": ("1", False)}),
            ("data", {"data": (-1, False)}),
            ("data", {"data": (2**64, False)}),
            ("data pointer is 0", {"data": (0, False)}),
            ("strides", {"strides": (1, 1)}),
            ("strides", {"strides": "1"}),
            ("overflow", {"strides": (2**62,)}),
            ("offset", {"offset": "1"}),
            ("out of the address space|overflow", {"offset": 2**62}),
            ("syclobj", {"syclobj": ABSENT}),
            ("syclobj", {"syclobj": 7}),
            ("syclobj", {"syclobj": None}),
        ]
        watched = Watched()
        for text, changes in cases:
            with self.subTest(changes):
                self.refused(
                    watched, ValueError, text, lambda: watched.usm([1, 2], "shared", **changes), on().copying()
                )

    def test_elements_outside_of_the_allocation_that_is_known(self):
        watched = Watched()

        def make(**changes):
            made = watched.usm(np.arange(4, dtype="i4"), "shared", **changes)
            self.bounds = on().copying().within(made.address, 16)
            return made

        for changes in ({"shape": (5,)}, {"strides": (2,)}, {"strides": (-1,)}, {"offset": 1}, {"offset": -1}):
            with self.subTest(changes):
                made = make(**changes)
                ended = watched.ended
                with self.assertRaisesRegex(ValueError, "leave the allocation") as caught:
                    arrow_device.import_usm(made, self.bounds)
                caught.exception = made = None
                gc.collect()
                self.assertEqual(watched.ended, ended + 1)
        made = make()
        self.assertEqual(values(self.usm(made, self.bounds)), [0, 1, 2, 3])

    def test_what_has_no_such_attribute(self):
        with self.assertRaisesRegex(TypeError, "__sycl_usm_array_interface__ is needed; a list has none"):
            arrow_device.import_usm([1])
