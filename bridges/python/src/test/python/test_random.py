"""Random nested arrays of pyarrow through Java and back.

ARROW_DEVICE_EXAMPLES=10000 tries so many instead of a few, other ones in each run, and a failure prints how to repeat it.
"""

import os
import unittest

import pyarrow as pa

import arrow_device
from case import Device, ExchangeTest

try:
    import hypothesis
    from hypothesis import strategies as st

    import random_arrays
except ImportError:
    hypothesis = None

_EXAMPLES = os.environ.get("ARROW_DEVICE_EXAMPLES")


def _checked(*strategies):
    """A test that hypothesis calls with examples; the same ones in each run, unless ARROW_DEVICE_EXAMPLES is set."""
    if hypothesis is None:
        return unittest.skip("hypothesis is not installed")
    settings = hypothesis.settings(
        max_examples=int(_EXAMPLES or 150),
        derandomize=not _EXAMPLES,
        database=None,
        deadline=None,
        print_blob=True,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    return lambda test: settings(hypothesis.given(*strategies)(test))


_seeds = st.integers(0, 2**32) if hypothesis else None
_lengths = st.integers(0, 20) if hypothesis else None
_types = random_arrays.types if hypothesis else None
_schemas = random_arrays.schemas if hypothesis else None


class RandomArrays(ExchangeTest):
    def setUp(self):
        if hypothesis:
            money = random_arrays.Money(pa.int8(), "")
            pa.register_extension_type(money)
            self.addCleanup(pa.unregister_extension_type, money.extension_name)

    def require_same(self, back, array):
        back.validate(full=True)
        self.assertTrue(back.type.equals(array.type, check_metadata=True), f"{back.type} is not {array.type}")
        self.assertEqual(len(back), len(array))
        self.assertTrue(back.equals(array), f"{back} is not {array}")

    @_checked(_types, _lengths, _seeds)
    def test_an_array_comes_back_the_same_from_its_memory_and_from_a_copy_of_java(self, type_, length, seed):
        array = random_arrays.Arrays(seed).array(type_, length)
        array.validate(full=True)
        with arrow_device.import_array(array) as ours, ours.copyTo(Device.CPU) as copy:
            self.require_same(pa.array(arrow_device.Array(ours)), array)
            self.require_same(pa.array(arrow_device.Array(copy)), array)
            self.assertTrue(bool(ours.valuesEqual(copy)))

    @_checked(_types, _lengths, _seeds)
    def test_a_slice_is_the_slice_of_either_side(self, type_, length, seed):
        array = random_arrays.Arrays(seed).array(type_, length)
        start, size = length // 3, length - length // 3 - length // 4
        expected = array.slice(start, size)
        with arrow_device.import_array(array) as whole, whole.slice(start, size) as ours:
            self.require_same(pa.array(arrow_device.Array(ours)), expected)
        with arrow_device.import_array(expected) as theirs, theirs.copyTo(Device.CPU) as copy:
            self.require_same(pa.array(arrow_device.Array(theirs)), expected)
            self.require_same(pa.array(arrow_device.Array(copy)), expected)

    @_checked(_schemas, _lengths, _seeds)
    def test_a_batch_comes_back_with_its_schema_one_by_one_and_in_a_stream(self, schema, length, seed):
        arrays = random_arrays.Arrays(seed)
        columns = [arrays.field(field, length) for field in schema]
        batch = pa.RecordBatch.from_arrays(columns, schema=schema)
        with arrow_device.import_batch(batch) as ours:
            self.require_same_batch(pa.record_batch(arrow_device.RecordBatch(ours)), batch)
        reader = pa.RecordBatchReader.from_batches(batch.schema, [batch, batch.slice(length // 2)])
        table = pa.RecordBatchReader.from_stream(arrow_device.Stream(arrow_device.import_stream(reader)))
        self.require_same_batch(table.read_next_batch(), batch)
        self.require_same_batch(table.read_next_batch(), batch.slice(length // 2))

    def require_same_batch(self, back, batch):
        back.validate(full=True)
        self.assertTrue(back.schema.equals(batch.schema, check_metadata=True), f"{back.schema} is not {batch.schema}")
        self.assertTrue(back.equals(batch), f"{back} is not {batch}")
