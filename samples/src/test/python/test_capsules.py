"""Arrow's PyCapsule interface, with pyarrow, nanoarrow and polars."""

import nanoarrow as na
import polars as pl
import pyarrow as pa

import arrow_device
from case import ExchangeTest, address, unreleased


class Batches(ExchangeTest):
    def test_a_batch_of_ours_becomes_a_table_and_a_data_frame_without_a_copy(self):
        batch = self.our_batch(pa.record_batch({"n": [1, 2, None], "s": ["x", None, "z"]}))
        with arrow_device.RecordBatch(batch) as shown:
            table, frame = pa.table(shown), pl.DataFrame(shown)
        self.assertEqual(table.to_pylist(), frame.to_dicts())
        self.assertEqual(table.column("n").chunk(0).buffers()[1].address, address(batch.column(0)))
        self.assertEqual(frame["n"].to_arrow().buffers()[1].address, address(batch.column(0)))
        self.assertEqual(unreleased()[0] > 0, True)
