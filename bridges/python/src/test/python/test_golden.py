"""Arrow's integration files, which well-known versions of Arrow have written: the stream, and what is in it as JSON."""

import gzip
import json
import pathlib

import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest
from golden_values import Json, java_values

_FOLDER = pathlib.Path(__file__).parent.parent / "golden"

def _files():
    files = sorted(_FOLDER.glob("*/*.stream"))
    assert len(files) > 60, files
    return [(str(file.relative_to(_FOLDER)), file) for file in files]


class Golden(ExchangeTest):
    def test_every_file_comes_back_from_java_in_batches_and_as_a_stream(self):
        for name, file in _files():
            with self.subTest(name):
                schema, batches = self.read(file)
                for batch in batches:
                    with arrow_device.import_batch(batch) as ours, ours.copyTo(Device.CPU) as copy:
                        for java_batch in (ours, copy):
                            back = pa.record_batch(arrow_device.RecordBatch(java_batch))
                            self.require_same(back, batch)
                stream = arrow_device.Stream(arrow_device.import_stream(pa.RecordBatchReader.from_batches(schema, batches)))
                back = pa.RecordBatchReader.from_stream(stream)
                self.assertTrue(back.schema.equals(schema, check_metadata=True), back.schema)
                backs = list(back)
                self.assertEqual(len(backs), len(batches))
                for pair in zip(backs, batches):
                    self.require_same(*pair)

    def test_the_getters_of_java_read_what_the_json_file_says(self):
        for name, file in _files():
            with self.subTest(name):
                _, batches = self.read(file)
                expected = list(Json(json.loads(gzip.decompress(file.with_suffix(".json.gz").read_bytes()))).batches())
                self.assertEqual(len(batches), len(expected))
                for batch, columns in zip(batches, expected):
                    with arrow_device.import_batch(batch) as ours:
                        for i, values in enumerate(columns):
                            read = []
                            ours.column(i).borrow(self.function(lambda reader: read.extend(java_values(reader))))
                            self.assertEqual(read, values, batch.schema.field(i))

    def read(self, file):
        with pa.ipc.open_stream(file.read_bytes()) as reader:
            return reader.schema, list(reader)

    def require_same(self, back, batch):
        back.validate()  # Not full: old files have a date64 within a day.
        self.assertTrue(back.schema.equals(batch.schema, check_metadata=True), f"{back.schema} is not {batch.schema}")
        self.assertTrue(back.equals(batch), batch.schema)

    def function(self, body):
        """A java.util.function.Function, whoever is the host."""
        if not arrow_device._java.hosted_by_python:
            return body
        import jpype

        return jpype.JProxy("java.util.function.Function", dict={"apply": body})
