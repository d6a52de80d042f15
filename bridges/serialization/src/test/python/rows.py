"""Objects of Kotlin to pyarrow and back: class path. Prints nothing if all is well."""

import os
import sys

import jpype

jpype.startJVM("--enable-native-access=ALL-UNNAMED", classpath=sys.argv[1].split(os.pathsep))

import arrow_device  # noqa: E402
import pyarrow as pa  # noqa: E402

Rows = jpype.JClass("dev.arrowdevice.serialization.PyArrowRows")


def taken(java_batch):
    """A batch of Java in pyarrow, looked through."""
    with arrow_device.RecordBatch(java_batch) as batch:
        found = pa.record_batch(batch)
    java_batch.close()
    found.validate(full=True)
    return found


def read(batch, reader):
    """What Java reads of a batch of pyarrow."""
    java_batch = arrow_device.import_batch(batch, validation="full")
    try:
        return reader(java_batch)
    finally:
        java_batch.close()


def rebuilt(array):
    """The same values in memory that pyarrow allocates; it can't make unions of Python's objects."""
    return pa.array(array.to_pylist(), type=array.type)


for seed in range(100):
    batch = taken(Rows.random(seed))
    columns = [rebuilt(column) for column in batch.columns]
    copy = pa.record_batch(columns, schema=batch.schema)
    assert copy.num_rows == 20 and copy.to_pylist() == batch.to_pylist(), seed
    assert read(copy, lambda it: Rows.isRandom(seed, it)), seed

# What it means to pyarrow.
drawings = taken(Rows.drawings()).to_pylist()
assert drawings[0]["shape"] == {"type": "circle", "name": "c", "width": None, "corner": None, "radius": 1.5}, drawings
assert drawings[0]["maybe"] is None and drawings[0]["shapes"][0]["type"] == "dot", drawings
assert drawings[1]["shape"]["corner"] == {"city": "Ulm", "zip": None}, drawings

unions = taken(Rows.unions())
assert unions.column("shape").to_pylist() == [
    {"name": "c", "radius": 1.5},
    {"name": "b", "width": 2, "corner": {"city": "Ulm", "zip": None}},
]
assert read(unions, Rows.areUnions)

# Batches that were never ours: other widths, other encodings, another order, more columns, an offset.
orders = pa.record_batch(
    {
        "more": [[1], [2], [3]],
        "note": pa.array(["x", None, "y"], pa.large_string()),
        "customer": pa.array(["Ada", "Alan", "Ada"]).dictionary_encode(),
        "id": pa.array([1, 2, 300], pa.uint16()),
    }
).slice(1)
assert read(orders, Rows.orders) == "[Order(id=2, customer=Alan, note=null), Order(id=300, customer=Ada, note=y)]"
items = pa.record_batch(
    {
        "sku": pa.array(["a", "b"], pa.string_view()),
        "count": pa.array([1, 2], pa.int64()),
        "status": pa.array(["paid", "OPEN"]),
    }
)
assert read(items, Rows.items) == "[Item(sku=a, count=1, status=PAID), Item(sku=b, count=2, status=OPEN)]"
runs = pa.record_batch({"id": pa.array([7, 7]), "customer": pa.RunEndEncodedArray.from_arrays([2], ["Ada"])})
assert read(runs, Rows.orders) == "[Order(id=7, customer=Ada, note=null), Order(id=7, customer=Ada, note=null)]"
