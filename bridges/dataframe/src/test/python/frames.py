"""Batches of pyarrow through data frames of Kotlin and back: class path. Prints nothing if all is well."""

import datetime
import decimal
import os
import sys

import jpype

jpype.startJVM("--enable-native-access=ALL-UNNAMED", classpath=sys.argv[1].split(os.pathsep))

import arrow_device  # noqa: E402
import pyarrow as pa  # noqa: E402

Frames = jpype.JClass("dev.arrowdevice.dataframe.PyArrowFrames")


def taken(java_batch):
    """A batch of Java in pyarrow, looked through."""
    with arrow_device.RecordBatch(java_batch) as batch:
        found = pa.record_batch(batch)
    java_batch.close()
    found.validate(full=True)
    return found


def through(batch, function, *arguments):
    """What a function of Java makes of a batch of pyarrow."""
    java_batch = arrow_device.import_batch(batch, validation="full")
    try:
        return function(java_batch, *arguments)
    finally:
        java_batch.close()


def date(year, month, day):
    return datetime.date(year, month, day)


at = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901)
batch = pa.record_batch(
    {
        "null": pa.nulls(4),
        "bool": pa.array([True, None, False, True]),
        **{
            f"int {t}": pa.array([0, None, 1, 100], t)
            for t in (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64())
        },
        "large": pa.array([2**64 - 1, None, 2**63, 0], pa.uint64()),
        **{f"{t}": pa.array([0.5, None, -1.25, float("inf")], t) for t in (pa.float16(), pa.float32(), pa.float64())},
        **{f"{t}": pa.array(["a", None, "größe", ""], t) for t in (pa.string(), pa.large_string(), pa.string_view())},
        **{f"{t}": pa.array([b"a", None, b"\xff", b""], t) for t in (pa.binary(), pa.large_binary(), pa.binary_view())},
        "fixed": pa.array([b"ab", None, b"cd", b"ef"], pa.binary(2)),
        **{
            f"{t}": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("-9.99"), decimal.Decimal(0)], t)
            for t in (pa.decimal32(5, 2), pa.decimal64(9, 2), pa.decimal128(20, 2), pa.decimal256(60, 2))
        },
        **{f"{t}": pa.array([date(1, 1, 1), None, date(2026, 1, 2), date(9999, 12, 31)], t) for t in (pa.date32(), pa.date64())},
        **{
            f"{t}": pa.array([datetime.time(0), None, datetime.time(12, 30), datetime.time(23, 59, 59)], t)
            for t in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))
        },
        **{
            f"{t}": pa.array([at.replace(microsecond=0), None, at.replace(year=1999, microsecond=0), at.replace(microsecond=0)], t)
            for unit in ("s", "ms", "us", "ns")
            for t in (pa.timestamp(unit), pa.timestamp(unit, "UTC"), pa.timestamp(unit, "Europe/Berlin"))
        },
        **{f"{t}": pa.array([datetime.timedelta(seconds=5), None, datetime.timedelta(days=-3), datetime.timedelta()], t) for t in map(pa.duration, ("s", "ms", "us", "ns"))},
        "interval": pa.array([(1, 2, 3), None, (-1, 0, 0), (0, 0, 0)], pa.month_day_nano_interval()),
        **{
            f"{t}": pa.array([[1, None], None, [], [2]], t)
            for t in (pa.list_(pa.int16()), pa.large_list(pa.int64()), pa.list_view(pa.int8()), pa.large_list_view(pa.uint8()))
        },
        "fixed list": pa.array([[1, 2], None, [None, 4], [5, 6]], pa.list_(pa.float64(), 2)),
        "nested": pa.array([[["a"], None], None, [], [[]]], pa.list_(pa.list_(pa.string()))),
        "map": pa.array([[("a", 1), ("b", None)], None, [], [("c", 3)]], pa.map_(pa.string(), pa.int32())),
        "dictionary": pa.array(["x", None, "x", "y"]).dictionary_encode(),
        "runs": pa.RunEndEncodedArray.from_arrays([2, 4], pa.array([7, None])),
        "uuid": pa.array([b"0123456789abcdef", None, b"fedcba9876543210", b"0" * 16], pa.uuid()),
        "structs": pa.array([{"a": 1, "b": {"c": "x"}}, None, {"a": None, "b": {"c": "z"}}, {"a": 4, "b": {"c": ""}}]),
        "list of structs": pa.array([[{"s": 1, "t": [{"u": "v"}]}, {"s": None, "t": [{"u": "w"}]}], [], [{"s": 3, "t": []}], []]),
    }
)

for part in (batch, batch.slice(1), batch.slice(1, 2), batch.slice(0, 0)):
    for copied in (False, True):
        back = taken(through(part, Frames.back, copied))
        assert back.schema == part.schema, back.schema
        for name in part.schema.names:
            assert back.column(name).to_pylist() == part.column(name).to_pylist(), (name, copied, back.column(name))

# With the types that Kotlin's have. Some are others, with the same values.
derived = taken(through(batch, Frames.derived))
assert derived.schema.field("int uint8").type == pa.int16()
assert derived.schema.field("dictionary").type == pa.string()
assert derived.schema.field("structs").type.field("b").type.field("c").type == pa.string()
assert derived.column("structs").to_pylist()[1] == {"a": None, "b": {"c": None}}
assert derived.column("list of structs").to_pylist() == batch.column("list of structs").to_pylist()
for name in ("dictionary", "runs", "large", "map", "nested", "uuid", "string", "decimal256(60, 2)", "date32[day]"):
    assert derived.column(name).to_pylist() == batch.column(name).to_pylist(), name

two = pa.record_batch({"id": [1, 2], "tags": [["a"], None], "at": [{"x": 1.5}, None]})
said = through(two, Frames.values)
assert said == "{id=[1, 2], tags=[[a], null], at=[{x=1.5}, {x=null}]}", said
