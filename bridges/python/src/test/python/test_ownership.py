"""Who owns what: capsules that nobody consumes, imports that fail, owners that are dropped, threads."""

import contextlib
import ctypes
import gc
import itertools
import os
import sys
import weakref

import nanoarrow
import numpy as np
import pyarrow as pa

import arrow_device
from case import ExchangeTest, address, java, unreleased

_OtherThread = java("dev.arrowdevice.python.OtherThread")

_Release = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_RELEASE = 56  # The place of release in an ArrowSchema.


class Producer:
    """Gives what it was given."""

    def __init__(self, **attributes):
        for name, value in attributes.items():
            setattr(self, f"__arrow_c_{name}__", lambda *_, result=value, **__: result)


class Tensor:
    """An int64 of DLPack, which counts the calls of its deleter; legacy or version 1."""

    _made = {}  # By the struct's address. Capsules and arrays outlive whoever made them.

    def __init__(self, version):
        self.deleted = 0
        self._name = _VERSIONED if version else _LEGACY
        self._shape, self._number = ctypes.c_int64(1), ctypes.c_int64(7)
        tensor = [ctypes.addressof(self._number), 1, 1 | 64 << 40 | 1 << 48, ctypes.addressof(self._shape), 0, 0]
        deleter = ctypes.cast(_delete, ctypes.c_void_p).value
        members = [1, 0, deleter, 0, *tensor] if version else [*tensor, 0, deleter]
        self._struct = (ctypes.c_uint64 * len(members))(*members)
        Tensor._made[ctypes.addressof(self._struct)] = self

    def __dlpack__(self, **_):
        return arrow_device._capsules.api.PyCapsule_New(
            ctypes.addressof(self._struct), self._name, ctypes.cast(_end, ctypes.c_void_p)
        )


_VERSIONED, _LEGACY = b"dltensor_versioned", b"dltensor"


@_Release
def _delete(struct):
    Tensor._made[struct].deleted += 1


@_Release
def _end(capsule):
    for name in (_VERSIONED, _LEGACY):
        if _is_valid(capsule, name):
            _delete(_get_pointer(capsule, name))


# A capsule that is about to die must not be referred to.
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", ctypes.pythonapi))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)


class OwnerTest(ExchangeTest):
    """Has objects of Python whose memory is Java's to give back."""

    def open_device(self):
        gpu = self.owned(java("dev.arrowdevice.testkit.device.SimulatedDevice").open(0))
        self._there = self.owned(self.ours(pa.array([1, 2, 3])).copyTo(gpu.device()))
        return arrow_device._java.ImportOptions.on(gpu.device())

    def source(self):
        class Source:
            __cuda_array_interface__ = {"shape": (3,), "typestr": "<i8", "data": (address(self._there), False), "version": 3}

        return Source()


class Capsules(OwnerTest):
    def test_an_array_that_nobody_consumes_is_released_with_its_capsule(self):
        shown = arrow_device.Array(self.ours(pa.array(["a", None])))
        for export in (shown.__arrow_c_array__, shown.__arrow_c_device_array__):
            capsules = export()
            self.assertEqual(unreleased(), (1, 0))
            del capsules
            self.assertEqual(unreleased(), (0, 0))

    def test_one_capsule_of_a_pair_may_die_before_the_other(self):
        shown = arrow_device.Array(self.ours(pa.array(["a", None])))
        schema, array = shown.__arrow_c_array__()
        del schema
        self.assertEqual(unreleased(), (1, 0))
        del array
        self.assertEqual(unreleased(), (0, 0))

    def test_a_schema_that_nobody_consumes_is_released_with_its_capsule(self):
        shown = arrow_device.Schema(arrow_device.import_field(pa.struct([("a", pa.dictionary(pa.int8(), pa.utf8()))])))
        capsule = shown.__arrow_c_schema__()
        member = ctypes.c_void_p.from_address(arrow_device._capsules.pointer_in(capsule, b"arrow_schema") + _RELEASE)
        release, released = _Release(member.value), []

        @_Release
        def seen(struct):
            released.append(struct)
            release(struct)

        member.value = ctypes.cast(seen, ctypes.c_void_p).value
        del capsule
        self.assertEqual(len(released), 1)

    def test_capsules_have_the_names_of_the_specification(self):
        shown = arrow_device.RecordBatch(self.our_batch(pa.record_batch({"n": [1]})))
        schema, array = shown.__arrow_c_array__()
        self.assertIn('"arrow_schema"', repr(schema))
        self.assertIn('"arrow_array"', repr(array))
        self.assertIn('"arrow_device_array"', repr(shown.__arrow_c_device_array__()[1]))
        self.assertIn('"arrow_array_stream"', repr(shown.__arrow_c_stream__()))
        self.assertIn('"arrow_device_array_stream"', repr(shown.__arrow_c_device_stream__()))

    def test_a_capsule_that_dies_while_an_exception_is_on_its_way_leaves_it_alone(self):
        shown = arrow_device.Array(self.ours(pa.array([1, 2])))
        # int() fails with the pair as its only argument, which dies before the exception is caught.
        with self.assertRaisesRegex(TypeError, "not 'tuple'"):
            int(shown.__arrow_c_array__())
        with self.assertRaises(ZeroDivisionError):
            [shown.__arrow_c_array__(), shown.__arrow_c_stream__(), shown.__dlpack__(max_version=(1, 0)), 1 / 0]
        self.assertEqual(unreleased(), (0, 0))

    def test_an_owner_that_dies_while_an_exception_is_on_its_way_leaves_it_alone(self):
        options = self.open_device()

        def only_owner():
            # Capsules hold the array, and the array holds the source: all of them die in int().
            source = self.source()
            array = arrow_device.import_cuda(source, options)
            shown = arrow_device.Array(array)
            array.close()
            return shown.__arrow_c_device_array__()

        with self.assertRaisesRegex(TypeError, "not 'tuple'"):
            int(only_owner())

    def test_a_consumer_takes_a_capsule_once(self):
        shown = arrow_device.Array(self.ours(pa.array([1, 2])))
        schema, array = shown.__arrow_c_array__()
        taken = Producer(array=(schema, array))
        self.assertEqual(pa.array(taken).to_pylist(), [1, 2])
        with self.assertRaises(Exception):
            pa.array(taken)
        with self.assertRaisesRegex(RuntimeError, "released or moved"):
            arrow_device.import_array(taken)


class RequestedSchemas(ExchangeTest):
    def shown(self):
        return arrow_device.RecordBatch(self.our_batch(pa.record_batch({"n": [1, 2], "s": ["a", "b"]})))

    def test_the_same_schema_is_given(self):
        requested = pa.schema([("n", pa.int64()), ("s", pa.utf8())])
        self.assertEqual(pa.record_batch(self.shown(), schema=requested).schema, requested)

    def test_another_representation_of_the_same_data_is_answered_as_if_none_was_requested(self):
        requested = pa.schema([("n", pa.int8()), ("s", pa.dictionary(pa.int8(), pa.large_utf8()))])
        schema, _ = self.shown().__arrow_c_array__(requested.__arrow_c_schema__())
        self.assertEqual(pa.schema(Producer(schema=schema)), pa.schema([("n", pa.int64()), ("s", pa.utf8())]))

    def test_texts_of_each_layout_are_texts(self):
        shown = arrow_device.Array(self.ours(pa.array(["a", "b"])))
        for requested in (pa.utf8(), pa.large_utf8(), pa.string_view(), pa.dictionary(pa.int8(), pa.string_view())):
            with self.subTest(f"{requested}"):
                schema, _ = shown.__arrow_c_array__(requested.__arrow_c_schema__())
                self.assertEqual(pa.field(Producer(schema=schema)).type, pa.utf8())

    def test_data_that_is_not_compatible_is_an_error(self):
        shown = self.shown()
        for requested in (pa.schema([("n", pa.int64())]), pa.schema([("n", pa.utf8()), ("s", pa.utf8())]), pa.int64()):
            for export in (shown.__arrow_c_array__, shown.__arrow_c_stream__, shown.__arrow_c_device_array__):
                with self.subTest(f"{requested}"), self.assertRaisesRegex(ValueError, "requested_schema"):
                    export(requested.__arrow_c_schema__())

    def test_what_is_no_schema_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "arrow_schema"):
            self.shown().__arrow_c_array__("int8")


class FailingImports(OwnerTest):
    def test_objects_without_the_attribute(self):
        for read in (
            arrow_device.import_array,
            arrow_device.import_batch,
            arrow_device.import_stream,
            arrow_device.import_schema,
            arrow_device.import_field,
            arrow_device.import_tensor,
            arrow_device.import_cuda,
            arrow_device.import_usm,
        ):
            with self.assertRaisesRegex(TypeError, "an object with __.*int has n"):
                read(3)

    def test_what_the_attribute_raises_is_raised(self):
        class Failing:
            def __arrow_c_array__(self):
                raise KeyError("of its own")

        with self.assertRaisesRegex(KeyError, "of its own"):
            arrow_device.import_array(Failing())

    def test_capsules_of_other_names_stay_their_owners(self):
        schema, array = pa.array([1]).__arrow_c_array__()
        for pair in ((array, schema), (schema, schema), (array, array), (schema, None), ("s", "a")):
            with self.assertRaisesRegex(ValueError, "a capsule named b'arrow_(array|schema)' is needed"):
                arrow_device.import_array(Producer(array=pair))
        self.owned(arrow_device.import_array(Producer(array=(schema, array))))

    def test_options_that_are_none_leave_nothing_behind(self):
        self.open_device()
        source = self.source()
        references = sys.getrefcount(source)
        with self.assertRaises(TypeError) as caught:
            arrow_device.import_cuda(source, "options")
        caught.exception = None
        self.assertEqual(sys.getrefcount(source), references)
        with self.assertRaises(AttributeError):
            arrow_device.import_tensor(np.arange(3), "options")
        for arguments in ((arrow_device._java.ExportOptions.defaults(),), ("options", object())):
            for version in (1, 0):
                with self.subTest(arguments=arguments, version=version):
                    source = Tensor(version)
                    with self.assertRaises(TypeError) as caught:
                        arrow_device.import_tensor(source, *arguments)
                    caught.exception = None
                    gc.collect()
                    self.assertEqual(source.deleted, 1)
        self.assertEqual(unreleased(), (0, 0))

    def test_of_several_consumers_of_a_capsule_one_takes_it(self):
        """The other one comes between any two lines of the first, as it does where each has a thread of its own."""
        for version in (1, 0):
            for place in itertools.count():
                source = Tensor(version)
                capsule, lines, taken = source.__dlpack__(), itertools.count(), []

                class Shared:
                    def __dlpack__(self, **_):
                        return capsule

                def take():
                    with contextlib.suppress(ValueError):
                        taken.append(arrow_device.import_tensor(Shared()))

                def trace(frame, event, _):
                    ours = os.path.dirname(frame.f_code.co_filename) == os.path.dirname(arrow_device.__file__)
                    if ours and event == "line" and next(lines) == place:
                        sys.settrace(None)
                        take()
                    return trace if ours else None

                sys.settrace(trace)
                try:
                    take()
                finally:
                    sys.settrace(None)
                for array in taken:
                    array.close()
                self.assertEqual((len(taken), source.deleted), (1, 1), f"line {place}")
                if next(lines) <= place:
                    break
            self.assertGreater(place, 10)

    def test_an_array_of_another_schema_is_released_once(self):
        _, array = pa.array(["some", "memory"] * 1000).__arrow_c_array__()
        allocated = pa.total_allocated_bytes()
        with self.assertRaisesRegex(ValueError, "int64"):
            arrow_device.import_array(Producer(array=(pa.int64().__arrow_c_schema__(), array)))
        self.assertLess(pa.total_allocated_bytes(), allocated - 8000)
        with self.assertRaisesRegex(RuntimeError, "released"):
            arrow_device.import_array(Producer(array=(pa.int64().__arrow_c_schema__(), array)))

    def test_an_array_with_a_broken_schema_is_released_once(self):
        schema, array = pa.array(range(1000)).__arrow_c_array__()
        allocated = pa.total_allocated_bytes()
        broken = ctypes.create_string_buffer(b"no format")
        ctypes.c_void_p.from_address(arrow_device._capsules.pointer_in(schema, b"arrow_schema")).value = ctypes.addressof(broken)
        with self.assertRaisesRegex(ValueError, "no format"):
            arrow_device.import_array(Producer(array=(schema, array)))
        self.assertLess(pa.total_allocated_bytes(), allocated - 7000)

    def test_a_consumed_stream_and_a_consumed_schema(self):
        stream = pa.table({"n": [1]}).__arrow_c_stream__()
        self.owned(arrow_device.import_stream(Producer(stream=stream)))
        with self.assertRaisesRegex(RuntimeError, "released or moved"):
            arrow_device.import_stream(Producer(stream=stream))
        schema = pa.int8().__arrow_c_schema__()
        arrow_device.import_field(Producer(schema=schema))
        with self.assertRaises(RuntimeError):
            arrow_device.import_field(Producer(schema=schema))

    def test_a_schema_of_no_struct_is_no_schema(self):
        with self.assertRaisesRegex(ValueError, "struct"):
            arrow_device.import_schema(pa.int8())

    def test_errors_have_what_java_threw_as_their_cause(self):
        with self.assertRaises(ValueError) as caught:
            arrow_device.import_schema(pa.int8())
        self.assertIsNotNone(caught.exception.__cause__)
        self.assertIn("InvalidSchemaException", str(caught.exception.__cause__))


class Threads(OwnerTest):
    def test_java_lets_go_of_python_on_a_thread_of_its_own(self):
        options = self.open_device()
        source = self.source()
        gone = weakref.ref(source)
        references = sys.getrefcount(source)
        array = arrow_device.import_cuda(source, options)
        self.assertEqual(sys.getrefcount(source), references + 1)
        del source
        self.assertIsNotNone(gone())
        _OtherThread.close(array)
        _OtherThread.close(array)
        self.assertIsNone(gone())

    def test_java_lets_go_of_an_array_of_pyarrow_on_a_thread_of_its_own(self):
        allocated = pa.total_allocated_bytes()
        array = arrow_device.import_array(pa.array([1, 2, 3]).cast(pa.int16()))
        _OtherThread.close(array)
        self.assertEqual(pa.total_allocated_bytes(), allocated)

    def test_java_reads_a_generator_of_python_on_a_thread_of_its_own(self):
        schema = pa.schema([("n", pa.int64())])
        batches = (pa.record_batch([pa.array([index])], schema=schema) for index in range(3))
        stream = self.owned(arrow_device.import_stream(pa.RecordBatchReader.from_batches(schema, batches)))
        self.assertEqual(int(_OtherThread.countRows(stream)), 3)

    def test_a_consumer_with_the_lock_reads_and_releases_what_other_threads_bring_from_python(self):
        schema = pa.schema([("n", pa.int64())])

        def elsewhere():
            batches = (pa.record_batch([pa.array([index])], schema=schema) for index in range(3))
            reader = pa.RecordBatchReader.from_batches(schema, batches)
            return arrow_device.Stream(_OtherThread.pulling(arrow_device.import_stream(reader)))

        # nanoarrow keeps the global interpreter lock while it calls the stream, and so does the end of a capsule.
        with nanoarrow.ArrayStream(elsewhere()) as stream:
            self.assertEqual([len(array) for array in stream.iter_chunks()], [1, 1, 1])
        self.assertEqual(pa.table(elsewhere()).num_rows, 3)
        with self.assertRaises(ZeroDivisionError):
            [elsewhere().__arrow_c_stream__(), 1 / 0]
        self.assertEqual(unreleased(), (0, 0))

    def test_the_garbage_collector_gives_back_what_hangs_in_a_cycle(self):
        class Cycle:
            pass

        cycle = Cycle()
        cycle.itself, cycle.capsules = cycle, arrow_device.Array(self.ours(pa.array([1]))).__arrow_c_array__()
        del cycle
        gc.collect()
        self.assertEqual(unreleased(), (0, 0))
