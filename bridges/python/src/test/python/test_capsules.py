"""Arrow's PyCapsule interface, with pyarrow, nanoarrow and polars."""

import nanoarrow
import nanoarrow.device
import polars as pl
import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest, address, java, unreleased
from samples import ARRAYS


class Only:
    """A Python object with one attribute of another, and no other."""

    def __init__(self, source, attribute):
        setattr(self, attribute, getattr(source, attribute))


class Schemas(ExchangeTest):
    schema = pa.schema(
        [pa.field("n", pa.int64(), nullable=False, metadata={"unit": "m"}), ("s", pa.list_(pa.struct([("x", pa.utf8())])))],
        metadata={"by": "pyarrow"},
    )

    def test_a_schema_goes_to_java_and_back_with_names_nullability_and_metadata(self):
        ours = arrow_device.import_schema(self.schema)
        self.assertEqual([str(field.name()) for field in ours.fields()], ["n", "s"])
        back = pa.schema(arrow_device.Schema(ours))
        self.assertTrue(back.equals(self.schema, check_metadata=True), back)

    def test_a_field_and_a_type_go_to_java_and_back(self):
        field = arrow_device.import_field(self.schema.field("n"))
        self.assertTrue(pa.field(arrow_device.Schema(field)).equals(self.schema.field("n"), check_metadata=True))
        type_ = arrow_device.import_field(pa.large_binary()).type()
        self.assertEqual(pa.DataType._import_from_c_capsule(arrow_device.Schema(type_).__arrow_c_schema__()), pa.large_binary())

    def test_nanoarrow_and_polars_read_our_schemas(self):
        ours = arrow_device.Schema(arrow_device.import_schema(self.schema))
        self.assertEqual([child.name for child in nanoarrow.c_schema(ours).children], ["n", "s"])
        self.assertEqual(list(pl.Schema(ours)), ["n", "s"])

    def test_schemas_of_nanoarrow_and_polars_come_to_java(self):
        self.assertEqual(str(arrow_device.import_field(nanoarrow.c_schema(nanoarrow.int32())).type()), "int32")
        self.assertEqual(str(arrow_device.import_schema(pl.Schema({"x": pl.Float64})).fields()[0].type()), "float64")


class Validations(ExchangeTest):
    """What an import checks: the values only if it is asked to."""

    def wrong(self):
        """A text that is not UTF-8, which only a look at the values finds."""
        offsets = pa.py_buffer(b"\0\0\0\0\1\0\0\0")
        return pa.Array.from_buffers(pa.utf8(), 1, [None, offsets, pa.py_buffer(b"\xff")])

    def imports(self):
        batch = pa.record_batch([self.wrong()], ["s"])
        for attribute in ("__arrow_c_array__", "__arrow_c_device_array__"):
            yield f"array by {attribute}", arrow_device.import_array, Only(self.wrong(), attribute)
            yield f"batch by {attribute}", arrow_device.import_batch, Only(batch, attribute)

    def test_by_default_and_by_name_the_structure_is_checked_and_not_the_values(self):
        for name, importing, source in self.imports():
            for arguments in ({}, {"validation": "structure"}, {"validation": "none"}):
                with self.subTest(name, **arguments):
                    importing(source, **arguments).close()

    def test_a_full_validation_finds_a_wrong_value(self):
        full = java("dev.arrowdevice.Validation").FULL
        for name, importing, source in self.imports():
            for validation in ("full", full):
                with self.subTest(name, validation=str(validation)), self.assertRaisesRegex(ValueError, "UTF-8"):
                    importing(source, validation=validation)

    def test_each_batch_of_a_stream_is_validated(self):
        table = pa.table({"s": self.wrong()})
        with arrow_device.import_stream(table) as stream, stream.nextBatch() as batch:
            self.assertEqual(int(batch.getRowCount()), 1)
        with arrow_device.import_stream(table, validation="full") as stream:
            with self.assertRaisesRegex(Exception, "UTF-8"):
                stream.nextBatch()

    def test_an_unknown_validation_is_refused_before_anything_is_taken(self):
        with self.assertRaisesRegex(ValueError, "'all' is none of 'none', 'structure', 'full'"):
            arrow_device.import_array(self.wrong(), validation="all")
        with self.assertRaisesRegex(TypeError, "this is a bool"):
            arrow_device.import_stream(pa.table({}), validation=True)


class Arrays(ExchangeTest):
    def test_arrays_of_every_type_go_to_java_and_back(self):
        for name, array in ARRAYS.items():
            with self.subTest(name), arrow_device.Array(self.theirs(array)) as shown:
                back = pa.array(shown)
                back.validate(full=True)
                self.assertEqual(back, array)
                self.assertEqual(back.buffers(), array.buffers())

    def test_arrays_in_memory_of_java_are_read_by_pyarrow(self):
        for name, array in ARRAYS.items():
            with self.subTest(name), arrow_device.Array(self.ours(array)) as shown:
                back = pa.array(shown)
                back.validate(full=True)
                self.assertEqual(back, array)

    def test_slices_keep_their_offset_both_ways(self):
        for name, array in ARRAYS.items():
            with self.subTest(name):
                ours = self.theirs(array[1:4])
                self.assertEqual(int(ours.getLength()), 3)
                self.assertEqual(pa.array(arrow_device.Array(ours)), array[1:4])
                again = self.owned(self.ours(array).slice(2, 2))
                self.assertEqual(pa.array(arrow_device.Array(again)), array[2:4])

    def test_nanoarrow_reads_arrays_of_java_where_they_are(self):
        for name in ("int8", "utf8", "struct", "dictionary", "list"):
            with self.subTest(name):
                ours = self.ours(ARRAYS[name])
                read = nanoarrow.Array(arrow_device.Array(ours))
                self.assertEqual(len(read), 5)
                if name == "int8":
                    self.assertEqual(read.to_pylist(), [1, None, -3, 4, 5])
                    self.assertEqual(nanoarrow.c_array(arrow_device.Array(ours)).buffers[1], address(ours))

    def test_arrays_of_nanoarrow_come_to_java(self):
        theirs = nanoarrow.c_array([1, None, 3], nanoarrow.int32())
        ours = self.owned(arrow_device.import_array(theirs))
        self.assertEqual(address(ours), theirs.buffers[1])
        self.assertEqual(pa.array(arrow_device.Array(ours)).to_pylist(), [1, None, 3])

    def test_polars_takes_columns_and_gives_them(self):
        ours = self.ours(pa.array([1, None, 3]))
        series = pl.Series("n", arrow_device.Array(ours))
        self.assertEqual(series.to_list(), [1, None, 3])
        self.assertEqual(series.to_arrow().buffers()[1].address, address(ours))
        stream = self.owned(arrow_device.import_stream(series))
        with stream.nextArray() as array:
            self.assertEqual(pa.array(arrow_device.Array(array)).to_pylist(), [1, None, 3])

    def test_an_array_is_read_after_its_python_owner_is_gone_until_java_closes_it(self):
        allocated = pa.total_allocated_bytes()
        theirs = pa.array(range(1000)).cast(pa.int32())
        where = theirs.buffers()[1].address
        ours = arrow_device.import_array(theirs)
        del theirs
        self.assertEqual(address(ours), where)
        self.assertEqual(int(ours.getInt(999)), 999)
        self.assertGreater(pa.total_allocated_bytes(), allocated)
        ours.close()
        self.assertEqual(pa.total_allocated_bytes(), allocated)

    def test_an_array_is_read_by_python_after_java_has_closed_it(self):
        ours = arrow_device.import_array(pa.array([1, 2, 3]))
        copy = ours.copyTo(Device.CPU)
        ours.close()
        shown = arrow_device.Array(copy)
        copy.close()
        theirs = pa.array(shown)
        shown.close()
        self.assertEqual(theirs.to_pylist(), [1, 2, 3])
        self.assertEqual(unreleased(), (1, 0))

    def test_a_closed_wrapper_says_so(self):
        shown = arrow_device.Array(self.ours(pa.array([1])))
        shown.close()
        shown.close()
        for read in ("__arrow_c_array__", "__arrow_c_device_array__", "__arrow_c_stream__", "__dlpack__", "__dlpack_device__"):
            with self.subTest(read), self.assertRaisesRegex(ValueError, "closed"):
                getattr(shown, read)()


class Batches(ExchangeTest):
    batch = pa.record_batch({"n": [1, 2, None], "s": ["x", None, "z"], "l": [[1], None, [2, 3]]})

    def test_a_batch_of_ours_becomes_a_table_and_a_data_frame_without_a_copy(self):
        batch = self.our_batch(self.batch)
        with arrow_device.RecordBatch(batch) as shown:
            table, frame = pa.table(shown), pl.DataFrame(shown)
        self.assertEqual(table.to_pylist(), self.batch.to_pylist())
        self.assertEqual(frame.to_dicts(), self.batch.to_pylist())
        self.assertEqual(table.column("n").chunk(0).buffers()[1].address, address(batch.column(0)))
        self.assertEqual(frame["n"].to_arrow().buffers()[1].address, address(batch.column(0)))

    def test_a_batch_of_pyarrow_comes_with_its_schema_and_goes_back(self):
        batch = self.batch.replace_schema_metadata({"k": "v"})
        ours = self.owned(arrow_device.import_batch(batch))
        self.assertEqual(address(ours.column(0)), batch.column(0).buffers()[1].address)
        back = pa.record_batch(arrow_device.RecordBatch(ours))
        self.assertTrue(back.equals(batch, check_metadata=True))

    def test_a_slice_of_a_batch_is_the_slice_on_the_other_side(self):
        ours = self.owned(self.our_batch(self.batch).slice(1, 2))
        self.assertEqual(pa.record_batch(arrow_device.RecordBatch(ours)), self.batch.slice(1, 2))
        theirs = self.owned(arrow_device.import_batch(self.batch.slice(1, 1)))
        self.assertEqual(int(theirs.getRowCount()), 1)
        self.assertEqual(pa.record_batch(arrow_device.RecordBatch(theirs)), self.batch.slice(1, 1))

    def test_a_column_of_a_batch_is_an_array(self):
        shown = arrow_device.to_python(self.our_batch(self.batch).column("s"))
        self.assertIsInstance(shown, arrow_device.Array)
        self.assertEqual(pa.array(shown), self.batch.column("s"))

    def test_batches_without_columns_and_without_rows(self):
        empty = self.batch.slice(0, 0)
        self.assertEqual(pa.record_batch(arrow_device.RecordBatch(self.our_batch(empty))), empty)
        none = pa.RecordBatch.from_struct_array(pa.array([{}, {}], pa.struct([])))
        ours = self.owned(arrow_device.import_batch(none))
        self.assertEqual((int(ours.getRowCount()), int(ours.getColumnCount())), (2, 0))
        self.assertEqual(pa.record_batch(arrow_device.RecordBatch(ours)).num_rows, 2)

    def test_a_data_frame_comes_as_a_stream(self):
        frame = pl.DataFrame({"n": [1, 2, 3], "s": ["a", None, "c"]})
        stream = self.owned(arrow_device.import_stream(frame))
        with stream.nextBatch() as batch:
            self.assertEqual(pl.DataFrame(arrow_device.RecordBatch(batch)).to_dicts(), frame.to_dicts())
        self.assertIsNone(stream.nextBatch())

    def test_what_is_no_batch_is_refused_and_given_back(self):
        with self.assertRaisesRegex(ValueError, "struct"):
            arrow_device.import_batch(pa.array([1, 2, 3]))
        with self.assertRaisesRegex(TypeError, "__arrow_c_device_array__ or __arrow_c_array__.* Table has neither"):
            arrow_device.import_batch(pa.table(self.batch))


class Streams(ExchangeTest):
    schema = pa.schema([("n", pa.int64())])

    def reader(self, count=3):
        batches = (pa.record_batch([pa.array([index, None])], schema=self.schema) for index in range(count))
        return pa.RecordBatchReader.from_batches(self.schema, batches)

    def test_a_reader_goes_to_java_and_back(self):
        ours = arrow_device.Stream(arrow_device.import_stream(self.reader()))
        table = pa.RecordBatchReader.from_stream(ours).read_all()
        self.assertEqual(table.column("n").to_pylist(), [0, None, 1, None, 2, None])

    def test_java_pulls_batches_one_by_one_and_they_outlive_the_stream(self):
        stream = arrow_device.import_stream(self.reader())
        first = self.owned(stream.nextBatch())
        stream.close()
        self.assertEqual(pa.record_batch(arrow_device.RecordBatch(first)).to_pylist(), [{"n": 0}, {"n": None}])

    def test_a_stream_of_java_is_read_by_pyarrow_nanoarrow_and_polars(self):
        def ours():
            return arrow_device.Stream(arrow_device.import_stream(self.reader()))

        self.assertEqual(pa.table(ours()).num_rows, 6)
        self.assertEqual(pl.DataFrame(ours())["n"].to_list(), [0, None, 1, None, 2, None])
        with nanoarrow.ArrayStream(ours()) as stream:
            self.assertEqual([len(array) for array in stream.iter_chunks()], [2, 2, 2])

    def test_chunks_of_a_plain_type_are_a_stream_of_arrays(self):
        chunks = pa.chunked_array([[1, 2], [3]])
        ours = arrow_device.Stream(arrow_device.import_stream(chunks))
        self.assertEqual(pa.chunked_array(ours), chunks)

    def test_a_batch_and_an_array_are_streams_of_one(self):
        batch = self.our_batch(pa.record_batch({"n": [1, 2]}))
        self.assertEqual(pa.RecordBatchReader.from_stream(arrow_device.RecordBatch(batch)).read_all().num_rows, 2)
        array = self.ours(pa.array([1, None]))
        self.assertEqual(pa.chunked_array(arrow_device.Array(array)).to_pylist(), [1, None])

    def test_a_stream_is_consumed_once(self):
        ours = arrow_device.Stream(arrow_device.import_stream(self.reader()))
        self.assertEqual(pa.table(ours).num_rows, 6)
        with self.assertRaisesRegex(RuntimeError, "moved"):
            ours.__arrow_c_stream__()

    def test_a_stream_that_nobody_consumes_is_released_with_its_capsule(self):
        ours = arrow_device.Stream(arrow_device.import_stream(self.reader()))
        capsule = ours.__arrow_c_stream__()
        self.assertEqual(unreleased(), (1, 1))
        del capsule
        self.assertEqual(unreleased(), (0, 0))

    def test_a_stream_that_is_given_up_before_its_end_is_released(self):
        reader = pa.RecordBatchReader.from_stream(arrow_device.Stream(arrow_device.import_stream(self.reader())))
        reader.read_next_batch()
        del reader
        self.assertEqual(unreleased(), (0, 0))

    def test_an_exception_of_python_reaches_java_and_python_again(self):
        def failing():
            yield pa.record_batch([pa.array([1])], schema=self.schema)
            raise KeyError("no more cheese")

        stream = arrow_device.import_stream(pa.RecordBatchReader.from_batches(self.schema, failing()))
        stream.nextBatch().close()
        with self.assertRaisesRegex(RuntimeError, "no more cheese"), arrow_device._java.java_errors():
            stream.nextBatch()
        stream.close()
        again = arrow_device.Stream(
            arrow_device.import_stream(pa.RecordBatchReader.from_batches(self.schema, failing()))
        )
        with self.assertRaisesRegex(Exception, "no more cheese"):
            pa.table(again)
        again.close()


class Devices(ExchangeTest):
    def test_device_arrays_go_both_ways_with_only_that_attribute(self):
        for name, array in ARRAYS.items():
            with self.subTest(name):
                ours = self.owned(arrow_device.import_array(Only(array, "__arrow_c_device_array__")))
                self.assertTrue(bool(ours.getDevice().isCpu()))
                only = Only(arrow_device.Array(ours), "__arrow_c_device_array__")
                self.assertEqual(pa.array(only), array)

    def test_device_batches_go_both_ways_with_only_that_attribute(self):
        batch = Batches.batch
        ours = self.owned(arrow_device.import_batch(Only(batch, "__arrow_c_device_array__")))
        self.assertEqual(pa.record_batch(Only(arrow_device.RecordBatch(ours), "__arrow_c_device_array__")), batch)

    def test_nanoarrow_takes_and_gives_device_arrays(self):
        ours = self.ours(pa.array([1, 2, 3]))
        theirs = nanoarrow.device.c_device_array(Only(arrow_device.Array(ours), "__arrow_c_device_array__"))
        self.assertEqual((theirs.device_type_id, theirs.array.buffers[1]), (1, address(ours)))
        back = self.owned(arrow_device.import_array(Only(theirs, "__arrow_c_device_array__")))
        self.assertEqual(address(back), address(ours))

    def test_arrays_with_only_the_plain_attribute_come_too(self):
        ours = self.owned(arrow_device.import_array(Only(pa.array([1, 2]), "__arrow_c_array__")))
        self.assertEqual(pa.array(Only(arrow_device.Array(ours), "__arrow_c_array__")).to_pylist(), [1, 2])

    def test_a_device_stream_goes_out_and_comes_in(self):
        ours = arrow_device.Stream(arrow_device.import_stream(Streams().reader()))
        back = self.owned(arrow_device.import_stream(Only(ours, "__arrow_c_device_stream__")))
        self.assertEqual(int(back.getDeviceType()), 1)
        with back.nextBatch() as batch:
            self.assertEqual(pa.record_batch(arrow_device.RecordBatch(batch)).to_pylist(), [{"n": 0}, {"n": None}])

    def test_arguments_of_the_future_are_refused_unless_they_are_none(self):
        array = arrow_device.Array(self.ours(pa.array([1])))
        stream = arrow_device.Stream(arrow_device.import_stream(Streams().reader()))
        self.addCleanup(stream.close)
        array.__arrow_c_device_array__(None, stream=None)
        for export in (array.__arrow_c_device_array__, array.__arrow_c_device_stream__, stream.__arrow_c_device_stream__):
            with self.assertRaisesRegex(NotImplementedError, "unknown arguments: colour"):
                export(colour="blue")

    def test_memory_of_a_device_goes_by_the_device_attributes_only(self):
        gpu = self.owned(java("dev.arrowdevice.testkit.device.SimulatedDevice").open(0))
        with self.ours(pa.array([1, 2, 3])).copyTo(gpu.device()) as there:
            shown = arrow_device.Array(there)
            with self.assertRaisesRegex(ValueError, "use the device variant"):
                shown.__arrow_c_array__()
            with self.assertRaisesRegex(ValueError, "use the device variant"):
                shown.__arrow_c_stream__()
            with arrow_device.import_array(Only(shown, "__arrow_c_device_array__")) as back:
                self.assertEqual(str(back.getDevice()), str(gpu.device()))
                self.assertEqual(address(back), address(there))
            with arrow_device.import_stream(Only(shown, "__arrow_c_device_stream__")) as stream:
                stream.nextArray().close()
            shown.close()
