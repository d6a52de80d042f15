"""What pyarrow's own test_cffi.py tests, with Java in place of a second pyarrow: structs by their addresses."""

import contextlib
import ctypes

import pyarrow as pa

import arrow_device
from arrow_device._java import ArrowExport, ArrowImport, CStruct, java_errors
from case import ExchangeTest, java, unreleased
from samples import ARRAYS

_TYPES = [
    *[array.type for array in ARRAYS.values()],
    *[pa.int16(), pa.uint8(), pa.uint16(), pa.int32(), pa.uint32(), pa.float32(), pa.decimal64(18, -2), pa.decimal128(38, 38)],
    *[pa.large_binary(), pa.binary_view(), pa.date64(), pa.time32("s"), pa.time64("ns"), pa.timestamp("s"), pa.duration("ns")],
    *[pa.large_list(pa.field("x", pa.int8(), False)), pa.large_list_view(pa.null()), pa.list_(pa.int8(), 0)],
    *[pa.map_(pa.string(), pa.int8(), keys_sorted=True), pa.dictionary(pa.uint8(), pa.int8(), True), pa.struct([])],
    *[pa.sparse_union([pa.field("a", pa.int8())], [5]), pa.uuid(), pa.bool8(), pa.json_(), pa.fixed_shape_tensor(pa.int8(), [2])],
]


class _Structs(ExchangeTest):
    """Tests with structs that Java has allocated, and which both sides fill."""

    def struct(self, make):
        return self.owned(make())

    @contextlib.contextmanager
    def refused(self, error, pattern):
        with self.assertRaisesRegex(error, pattern), java_errors():
            yield

    def is_released(self, struct):
        return not bool(struct.isLive())


class Types(_Structs):
    def test_every_type_comes_back_and_the_struct_is_released_by_its_consumer(self):
        for type_ in _TYPES:
            with self.subTest(str(type_)):
                struct = self.struct(CStruct.schema)
                type_._export_to_c(struct.getAddress())
                self.assertFalse(self.is_released(struct))
                field = ArrowImport.importField(struct)
                self.assertTrue(self.is_released(struct))
                ArrowExport.exportField(field, struct)
                self.assertEqual(pa.DataType._import_from_c(struct.getAddress()), type_)
                self.assertTrue(self.is_released(struct))

    def test_fields_and_schemas_keep_names_nullability_and_metadata(self):
        field = pa.field("größe", pa.list_(pa.field("x", pa.int8(), False, {"a": "b"})), False, {"key1": "value1"})
        struct = self.struct(CStruct.schema)
        field._export_to_c(struct.getAddress())
        ArrowExport.exportField(ArrowImport.importField(struct), struct)
        self.assertTrue(pa.Field._import_from_c(struct.getAddress()).equals(field, check_metadata=True))
        schema = pa.schema([field, pa.field("größe", pa.uuid())], {"key1": "value1"})
        schema._export_to_c(struct.getAddress())
        ArrowExport.exportSchema(ArrowImport.importSchema(struct), struct)
        self.assertTrue(pa.Schema._import_from_c(struct.getAddress()).equals(schema, check_metadata=True))

    def test_a_released_struct_is_refused_by_either_side(self):
        struct = self.struct(CStruct.schema)
        pa.int8()._export_to_c(struct.getAddress())
        field = ArrowImport.importField(struct)
        with self.refused((ValueError, RuntimeError), "released"):
            ArrowImport.importField(struct)
        ArrowExport.exportField(field, struct)
        pa.Field._import_from_c(struct.getAddress())
        with self.assertRaisesRegex(ValueError, "Cannot import released ArrowSchema"):
            pa.Field._import_from_c(struct.getAddress())

    def test_what_is_no_struct_is_no_schema_and_is_released(self):
        struct = self.struct(CStruct.schema)
        pa.int8()._export_to_c(struct.getAddress())
        with self.refused(ValueError, "struct"):
            ArrowImport.importSchema(struct)
        self.assertTrue(self.is_released(struct))
        ArrowExport.exportField(java("dev.arrowdevice.Field").nullable("x", java("dev.arrowdevice.ArrowType").INT8), struct)
        with self.assertRaisesRegex(ValueError, "ArrowSchema describes non-struct type"):
            pa.Schema._import_from_c(struct.getAddress())


class Arrays(_Structs):
    def exported(self, array):
        pair = self.struct(CStruct.array), self.struct(CStruct.schema)
        array._export_to_c(*[struct.getAddress() for struct in pair])
        return pair

    def test_arrays_come_back_and_a_released_struct_is_refused_by_either_side(self):
        for name, array in ARRAYS.items():
            with self.subTest(name):
                pair = self.exported(array)
                with ArrowImport.importArray(*pair) as ours:
                    self.assertTrue(all(map(self.is_released, pair)))
                    with self.refused((ValueError, RuntimeError), "released"):
                        ArrowImport.importArray(*pair)
                    ArrowExport.exportArray(ours.share(), *pair)
                back = pa.Array._import_from_c(*[struct.getAddress() for struct in pair])
                back.validate(full=True)
                self.assertEqual(back, array)
                with self.assertRaisesRegex(ValueError, "Cannot import released ArrowSchema"):
                    pa.Array._import_from_c(*[struct.getAddress() for struct in pair])
                with self.assertRaisesRegex(ValueError, "Cannot import released ArrowArray"):
                    pa.Array._import_from_c(pair[0].getAddress(), array.type)

    def test_a_struct_that_was_moved_is_imported_from_its_new_place(self):
        array, schema = self.exported(pa.array([[1], None, [2, 3]]))
        moved = self.struct(CStruct.array)
        ctypes.memmove(moved.getAddress(), array.getAddress(), 80)
        ctypes.memset(array.getAddress(), 0, 80)
        with ArrowImport.importArray(moved, schema) as ours:
            ArrowExport.exportArray(ours.share(), array)
        ctypes.memmove(moved.getAddress(), array.getAddress(), 80)
        ctypes.memset(array.getAddress(), 0, 80)
        back = pa.Array._import_from_c(moved.getAddress(), pa.list_(pa.int64()))
        self.assertEqual(back.to_pylist(), [[1], None, [2, 3]])

    def test_an_array_whose_type_is_wrong_is_released_by_pyarrow_and_by_us(self):
        array, schema = self.exported(pa.array(["a", None]))
        schema.close()
        wrong = self.struct(CStruct.schema)
        pa.list_(pa.int8())._export_to_c(wrong.getAddress())
        with self.refused(ValueError, "n_buffers is 3, .* needs 2"):
            ArrowImport.importArray(array, wrong)
        self.assertTrue(self.is_released(array))
        with arrow_device.import_array(pa.array([1])) as ours:
            ArrowExport.exportArray(ours.share(), array)
        with self.assertRaisesRegex(ValueError, "Expected 3 buffers"):
            pa.Array._import_from_c(array.getAddress(), pa.string())
        self.assertTrue(self.is_released(array))
        self.assertEqual(unreleased(), (0, 0))

    def test_views_that_are_all_inline_are_read_and_cast(self):
        for type_, bytes_ in ((pa.string_view(), pa.string()), (pa.binary_view(), pa.binary())):
            pair = self.exported(pa.array(["a", None, "twelve bytes"], bytes_).cast(type_))
            with ArrowImport.importArray(*pair) as ours:
                ArrowExport.exportArray(ours.share(), *pair)
            back = pa.Array._import_from_c(*[struct.getAddress() for struct in pair])
            back.validate(full=True)
            self.assertEqual(back.cast(bytes_), pa.array(["a", None, "twelve bytes"], bytes_))

    def test_a_device_array_keeps_its_device_and_one_of_an_unknown_device_is_released(self):
        device, schema = self.struct(CStruct.deviceArray), self.struct(CStruct.schema)
        array = pa.array([[1], [2, 42]])
        array._export_to_c_device(device.getAddress(), schema.getAddress())
        with ArrowImport.importDeviceArray(device, schema) as ours:
            ArrowExport.exportDeviceArray(ours.share(), device, schema)
        self.assertEqual(pa.Array._import_from_c_device(device.getAddress(), schema.getAddress()), array)
        array._export_to_c_device(device.getAddress(), schema.getAddress())
        ctypes.c_int32.from_address(device.getAddress() + 88).value = 4242
        with ArrowImport.importDeviceArray(device, schema) as ours, self.refused((ValueError, RuntimeError), "4242"):
            ours.copyTo(java("dev.arrowdevice.Device").CPU)


class Streams(_Structs):
    schema = pa.schema([("ints", pa.list_(pa.int32()))], metadata={"key1": "value1"})
    batches = [pa.record_batch([[[1], [2, 42]]], schema=schema), pa.record_batch([[None, [], [5, 6]]], schema=schema)]

    def serialized(self):
        with pa.BufferOutputStream() as sink:
            with pa.ipc.new_stream(sink, self.schema) as writer:
                for batch in self.batches:
                    writer.write_batch(batch)
            return sink.getvalue()

    def readers(self):
        yield "batches", pa.RecordBatchReader.from_batches(self.schema, self.batches)
        yield "IPC", pa.ipc.open_stream(self.serialized())
        yield "table", pa.Table.from_batches(self.batches).to_reader()

    def test_readers_come_back_and_end_twice(self):
        for name, reader in self.readers():
            with self.subTest(name):
                struct = self.struct(CStruct.arrayStream)
                reader._export_to_c(struct.getAddress())
                ours = ArrowImport.importStream(struct)
                with self.refused((ValueError, RuntimeError), "released"):
                    ArrowImport.importStream(struct)
                ArrowExport.exportStream(ours, struct)
                back = pa.RecordBatchReader._import_from_c(struct.getAddress())
                self.assertTrue(back.schema.equals(self.schema, check_metadata=True))
                self.assertEqual(list(back), self.batches)
                for _ in range(2):
                    with self.assertRaises(StopIteration):
                        back.read_next_batch()
                with self.assertRaisesRegex(ValueError, "Cannot import released Arrow Stream"):
                    pa.RecordBatchReader._import_from_c(struct.getAddress())

    def test_an_exception_with_its_cause_passes_java(self):
        def failing():
            yield self.batches[0]
            try:
                raise ValueError("foo")
            except ValueError as cause:
                raise NotImplementedError("bar") from cause

        back = self.passed(pa.RecordBatchReader.from_batches(self.schema, failing()))
        self.assertEqual(back.read_next_batch(), self.batches[0])
        with self.assertRaisesRegex(Exception, "(?s)ValueError: foo.*NotImplementedError: bar"):
            back.read_next_batch()

    def test_a_truncated_file_is_an_os_error_behind_java_too(self):
        back = self.passed(pa.ipc.open_stream(self.serialized()[:-16]))
        self.assertEqual(back.read_next_batch(), self.batches[0])
        with self.assertRaisesRegex(OSError, "IOError: Expected to be able to read 32 bytes for message body, got 24"):
            back.read_next_batch()

    def passed(self, reader):
        struct = self.struct(CStruct.arrayStream)
        reader._export_to_c(struct.getAddress())
        ArrowExport.exportStream(ArrowImport.importStream(struct), struct)
        return pa.RecordBatchReader._import_from_c(struct.getAddress())

    def test_chunks_of_any_type_pass_java(self):
        for name, array in ARRAYS.items():
            with self.subTest(name):
                chunks = pa.chunked_array([array, array[1:3], array[:0]], array.type)
                back = pa.chunked_array(arrow_device.Stream(arrow_device.import_stream(chunks)))
                self.assertEqual(back, chunks)
                self.assertEqual(back.num_chunks, 3)
        none = pa.chunked_array([], pa.int8())
        self.assertEqual(pa.chunked_array(arrow_device.Stream(arrow_device.import_stream(none))), none)
