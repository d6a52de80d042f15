"""Arrays of pyarrow of many types, each with nulls where the type has them."""

import datetime
import decimal

import pyarrow as pa

_DAY = datetime.date(2024, 2, 29)
_TIME = datetime.datetime(2024, 2, 29, 12, 30, 15)
_ROWS = [{"a": 1, "b": ["x", None]}, None, {"a": None, "b": None}, {"a": 4, "b": []}, {"a": 5, "b": ["y"]}]

ARRAYS = {
    "null": pa.nulls(5),
    "bool": pa.array([True, None, False, True, None]),
    "int8": pa.array([1, None, -3, 4, 5], pa.int8()),
    "uint64": pa.array([2**64 - 1, None, 3, 4, 5], pa.uint64()),
    "float16": pa.array([1.5, None, -2.0, 0.0, 5.0], pa.float16()),
    "float64": pa.array([1.5, None, float("inf"), 4.0, 5.0]),
    "decimal32": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("-3.50")] * 2, pa.decimal32(5, 2)),
    "decimal256": pa.array([decimal.Decimal("1.25"), None, decimal.Decimal("-3.50")] * 2, pa.decimal256(50, 2)),
    "utf8": pa.array(["a", None, "", "grün", "long enough for a buffer of its own"]),
    "large_utf8": pa.array(["a", None, "", "grün", "e"], pa.large_string()),
    "utf8_view": pa.array(["a", None, "", "long enough for a buffer of its own", "e"], pa.string_view()),
    "binary": pa.array([b"a", None, b"", b"\0\xff", b"e"]),
    "fixed_size_binary": pa.array([b"abc", None, b"def", b"ghi", b"jkl"], pa.binary(3)),
    "date32": pa.array([_DAY, None, _DAY, _DAY, None]),
    "time64": pa.array([_TIME.time(), None, _TIME.time(), None, None], pa.time64("us")),
    "timestamp": pa.array([_TIME, None, _TIME, None, _TIME], pa.timestamp("ns", "Europe/Berlin")),
    "duration": pa.array([datetime.timedelta(1), None, datetime.timedelta(0, 5)] * 2, pa.duration("us")),
    "interval": pa.array([pa.MonthDayNano([1, 2, 3]), None, pa.MonthDayNano([4, 5, 6])] * 2),
    "list": pa.array([[1, 2], None, [], [3, None], [4]]),
    "large_list": pa.array([[1, 2], None, [], [3, None], [4]], pa.large_list(pa.int32())),
    "list_view": pa.array([[1, 2], None, [], [3, None], [4]], pa.list_view(pa.int32())),
    "fixed_size_list": pa.array([[1, 2], None, [3, 4], [5, None], [6, 7]], pa.list_(pa.int32(), 2)),
    "struct": pa.array(_ROWS),
    "map": pa.array([[("k", 1)], None, [], [("k", None), ("l", 2)], []], pa.map_(pa.string(), pa.int64())),
    "dictionary": pa.array(["a", None, "b", "a", "b"]).dictionary_encode(),
    "run_end_encoded": pa.RunEndEncodedArray.from_arrays([2, 3, 5], pa.array([1, None, 3])),
    "dense_union": pa.UnionArray.from_dense(
        pa.array([0, 1, 0, 1, 0], pa.int8()),
        pa.array([0, 0, 1, 1, 2], pa.int32()),
        [pa.array([1, None, 3]), pa.array(["x", "y"])],
    ),
}
