"""The other side of PythonPeerTest.

make FOLDER    writes streams and files of all types by pyarrow, and what polars and nanoarrow make of them
check FOLDER   compares what was read of them and written again with the originals, by pyarrow, polars and nanoarrow; what each of
               them said is in results.tsv: the original, the form, the reader, same or refused
random FOLDER  reads streams and files of any types by pyarrow, validates them and writes them again to the folder "again"
"""

import datetime
import decimal
import pathlib
import re
import sys

import nanoarrow
import nanoarrow.ipc
import polars
import pyarrow as pa


def columns():
    n = None
    text = ["a", n, "", "a string that is longer than twelve bytes", "ä€😀"]
    raw = [b"a", n, b"", b"bytes that are more than twelve of them", b"\xff\x00"]
    ints = [1, n, -3, 100, 7]
    yield "null", pa.nulls(5)
    yield "bool", pa.array([True, n, False, True, True])
    for kind in (pa.int8, pa.int16, pa.int32, pa.int64):
        yield str(kind()), pa.array(ints, kind())
    for kind in (pa.uint8, pa.uint16, pa.uint32, pa.uint64):
        yield str(kind()), pa.array([1, n, 3, 100, 7], kind())
    yield "float16", pa.array([1.5, n, -3, 100, 7], pa.float16())
    yield "float32", pa.array([1.5, n, -3, 100, 7], pa.float32())
    yield "float64", pa.array([1.5, n, -3, 100, 7], pa.float64())
    for kind, precision in ((pa.decimal32, 9), (pa.decimal64, 18), (pa.decimal128, 38), (pa.decimal256, 76)):
        yield str(kind(precision, 2)), pa.array(
            [decimal.Decimal(v) if v is not None else n for v in ("1.25", n, "-3.00", "100.00", "7.01")],
            kind(precision, 2),
        )
    for kind in (pa.string, pa.large_string, pa.string_view):
        yield str(kind()), pa.array(text, kind())
    for kind in (pa.binary, pa.large_binary, pa.binary_view):
        yield str(kind()), pa.array(raw, kind())
    yield "fixed", pa.array([b"abc", n, b"def", b"\x00\x00\x00", b"xyz"], pa.binary(3))
    yield "date32", pa.array(ints, pa.int32()).cast(pa.date32())
    yield "date64", pa.array([86400000, n, 0, -86400000, 0], pa.date64())
    yield "time32", pa.array([1, n, 3, 100, 7], pa.time32("ms"))
    yield "time64", pa.array([1, n, 3, 100, 7], pa.time64("ns"))
    for unit in ("s", "ms", "us", "ns"):
        yield "timestamp " + unit, pa.array(ints, pa.timestamp(unit))
        yield "duration " + unit, pa.array(ints, pa.duration(unit))
    yield "zoned", pa.array(ints, pa.timestamp("us", "Europe/Berlin"))
    yield "interval", pa.array([pa.MonthDayNano([1, 2, 3]), n, pa.MonthDayNano([0, 0, 0]), n, n])
    lists = [[1, n], n, [], [3], [4, 5, 6]]
    for kind in (pa.list_, pa.large_list, pa.list_view, pa.large_list_view):
        yield str(kind(pa.int32())), pa.array(lists, kind(pa.int32()))
    yield "fixed list", pa.array([[1, n], n, [3, 4], [5, 6], [7, 8]], pa.list_(pa.int32(), 2))
    yield "struct", pa.array([{"a": 1, "b": "x"}, n, {"a": n, "b": "y"}, {}, {"a": 3}])
    yield "map", pa.array([[("a", 1)], n, [], [("b", n), ("c", 3)], []], pa.map_(pa.string(), pa.int32()))
    ids = pa.array([5, 7, 5, 7, 5], pa.int8())
    yield "sparse union", pa.UnionArray.from_sparse(
        ids, [pa.array(ints), pa.array(text)], ["number", "text"], [5, 7]
    )
    yield "dense union", pa.UnionArray.from_dense(
        ids, pa.array([0, 0, 1, 1, 2], pa.int32()), [pa.array([1, n, 3]), pa.array(["x", n])], ["number", "text"], [5, 7]
    )
    for ends in (pa.int16(), pa.int32(), pa.int64()):
        yield "runs " + str(ends), pa.RunEndEncodedArray.from_arrays(
            pa.array([2, 3, 5], ends), pa.array(["a", n, "b"])
        )
    for index in (pa.int8(), pa.uint16(), pa.int32(), pa.int64()):
        yield "dictionary " + str(index), pa.DictionaryArray.from_arrays(
            pa.array([1, n, 0, 1, 1], index), pa.array(["x", "y"])
        )
    inner = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0], pa.int8()), pa.array(["in", "ner"]))
    yield "nested dictionary", pa.DictionaryArray.from_arrays(
        pa.array([1, n, 0, 1, 0], pa.int32()),
        pa.ListArray.from_arrays(pa.array([0, 2, 3], pa.int32()), inner),
    )
    yield "dictionary in list", pa.ListArray.from_arrays(pa.array([0, 2, 2, 3, 3, 3], pa.int32()), inner)
    yield "uuid", pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0123456789abcdef", n] * 2 + [n], pa.binary(16)))
    yield "json", pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a": 1}', n, "[]", "1", "{}"]))
    yield "bool8", pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, n, 0, 1, 0], pa.int8()))
    yield "tensor", pa.ExtensionArray.from_storage(
        pa.fixed_shape_tensor(pa.int32(), (1, 2)), pa.array([[1, 2], n, [3, 4], [5, 6], [7, 8]], pa.list_(pa.int32(), 2))
    )
    deep = pa.array(text)
    for level in range(20):
        deep = pa.ListArray.from_arrays(pa.array(range(len(deep) + 1), pa.int32()), deep)
    yield "deep", deep


def tables():
    for name, array in columns():
        field = pa.field(name, array.type, metadata={"key": "välue", "empty": ""})
        table = pa.Table.from_arrays([array], schema=pa.schema([field], metadata={"of": "schema"}))
        yield name, table
        # Two batches, one of them a slice, and one without rows.
        yield name + " in batches", pa.Table.from_batches(
            table.to_batches() + table.slice(1, 3).to_batches() + table.slice(0, 0).to_batches(), table.schema
        )
    numbers = pa.table({"n": pa.array(range(100_000)), "s": pa.array([f"row {i % 100}" for i in range(100_000)])})
    yield "large", numbers


def write(path, table, opener, compression, **options):
    with opener(path, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression, **options)) as writer:
        for batch in table.to_batches():
            writer.write_batch(batch)


def make(folder):
    (folder / "types.txt").write_text("".join(name + "\n" for name, _ in columns()))
    for compression in (None, "lz4", "zstd"):
        for name, table in tables():
            if compression and "in batches" in name:
                continue
            path = folder / f"pyarrow {compression} {name}"
            write(f"{path}.stream", table, pa.ipc.new_stream, compression)
            write(f"{path}.arrow", table, pa.ipc.new_file, compression, unify_dictionaries=True)
            if not compression and "in batches" not in name:
                others_write(f"{path}", f"{compression} {name}", folder)
    growing = [
        pa.record_batch({"d": pa.DictionaryArray.from_arrays([0, len(words) - 1], words)})
        for words in (["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], ["z"])
    ]
    for deltas in (False, True):
        table = pa.Table.from_batches(growing)
        write(f"{folder}/pyarrow deltas {deltas}.stream", table, pa.ipc.new_stream, None, emit_dictionary_deltas=deltas)
    write(f"{folder}/pyarrow deltas.arrow", pa.Table.from_batches(growing[:3]), pa.ipc.new_file, None, emit_dictionary_deltas=True)
    write(f"{folder}/pyarrow legacy.stream", pa.table({"a": [1, 2]}), pa.ipc.new_stream, None, use_legacy_format=True)
    write(
        f"{folder}/pyarrow v4.stream",
        pa.table({"u": pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([1, 2])])}),
        pa.ipc.new_stream,
        None,
        metadata_version=pa.ipc.MetadataVersion.V4,
    )
    frame = polars.DataFrame(
        {
            "i": [1, None, 3],
            "s": ["a", None, "a string that is longer than twelve bytes"],
            "l": [[1.5], None, []],
            "t": [datetime.datetime(2026, 1, 1), None, datetime.datetime(1969, 1, 1)],
            "c": polars.Series(["x", "y", "x"], dtype=polars.Categorical),
        }
    )
    for compression in ("uncompressed", "lz4", "zstd"):
        frame.write_ipc(f"{folder}/polars {compression}.arrow", compression=compression)
        frame.write_ipc_stream(f"{folder}/polars {compression}.stream", compression=compression)


def others_write(original, name, folder):
    """What polars and nanoarrow write of what pyarrow has written, if they can read it."""

    def nano(path):
        with nanoarrow.ArrayStream.from_path(f"{original}.stream") as source:
            with nanoarrow.ipc.StreamWriter.from_path(path) as writer:
                writer.write_stream(source)

    for path, write_again in (
        (f"{folder}/polars {name}.stream", lambda path: polars.read_ipc_stream(f"{original}.stream").write_ipc_stream(path)),
        (f"{folder}/polars {name}.arrow", lambda path: polars.read_ipc(f"{original}.arrow").write_ipc(path)),
        (f"{folder}/nanoarrow {name}.stream", nano),
    ):
        try:
            write_again(path)
        except BaseException as e:
            require_refusal(e)
            pathlib.Path(path).unlink(missing_ok=True)


def read(path):
    with pa.OSFile(str(path)) as source:
        if path.suffix == ".stream":
            with pa.ipc.open_stream(source) as reader:
                return reader.schema, list(reader)
        with pa.ipc.open_file(source) as reader:
            return reader.schema, [reader.get_batch(i) for i in range(reader.num_record_batches)]


def same(left, right):
    # pyarrow can't compare all types; their values as Python objects always can.
    return left.schema.equals(right.schema, check_metadata=True) and (
        left.equals(right) or left.to_pydict() == right.to_pydict()
    )


def is_valid(batch):
    # Old files have dates that are no whole days.
    try:
        batch.validate(full=True)
        return True
    except pa.ArrowInvalid:
        return False


def compare(original, ours):
    schema, batches = read(original)
    our_schema, our_batches = read(ours)
    if not schema.equals(our_schema, check_metadata=True):
        return f"the schema is {our_schema}, not {schema}"
    if len(batches) != len(our_batches):
        return f"{len(our_batches)} batches, not {len(batches)}"
    for i, (left, right) in enumerate(zip(batches, our_batches)):
        right.validate(full=is_valid(left))
        if not same(left, right) and str(left.to_pylist()) != str(right.to_pylist()):
            return f"batch {i} is {right.to_pylist()}, not {left.to_pylist()}"
    return None


def check(folder):
    failed = passed = 0
    for ours in sorted(folder.glob("ours/*")):
        original = pathlib.Path(ours.with_suffix(".of").read_text()) if ours.suffix != ".of" else None
        if original is None:
            continue
        try:
            problem = compare(original, ours)
        except Exception as e:
            problem = f"{type(e).__name__}: {e}"
        results.append((original.name, ours.suffix, "pyarrow", "same"))
        problem = problem or others(original, ours)
        passed += problem is None
        failed += problem is not None
        if problem:
            print(f"FAILED {ours.name} of {original.name}: {problem}")
    (folder / "results.tsv").write_text("".join("\t".join(result) + "\n" for result in results))
    print(f"{passed} passed, {failed} failed, {len(skipped)} refused by polars, nanoarrow or both")


def require_refusal(failure):
    """A reader that lacks a type fails in its own way. A wrong call of ours must not look like that."""
    if isinstance(failure, (TypeError, AttributeError, NameError, KeyboardInterrupt, SystemExit)):
        raise failure


# What the other readers refuse, and pyarrow reads: no fault of what was written.
skipped = set()

results = []


def others(original, ours):
    """Polars and nanoarrow read it as they read what pyarrow writes of the same content, if they can read that."""
    options = pa.ipc.IpcWriteOptions(compression=next((c for c in ("lz4", "zstd") if c in original.name), None))
    schema, batches = read(ours)
    again = ours.with_suffix(".again")
    table = pa.Table.from_batches(batches, schema)
    try:
        if ours.suffix == ".arrow":
            with pa.ipc.new_file(str(again), schema, options=options) as writer:
                writer.write_table(table)
        else:
            with pa.ipc.new_stream(str(again), schema, options=options) as writer:
                writer.write_table(table)
        for name, reader in readers(ours):
            try:
                expected = reader(again)
            except BaseException as e:
                require_refusal(e)
                skipped.add(ours)
                results.append((original.name, ours.suffix, name, "refused"))
                continue
            try:
                found = reader(ours)
            except BaseException as e:
                if name == "polars" and "delta dictionary batches not supported" in str(e):
                    skipped.add(ours)  # A file of ours continues a dictionary where pyarrow's table has one from the start.
                    continue
                return f"{name}: {type(e).__name__}: {e}"
            if found != expected:
                return f"{name} reads {found}, not {expected}"
            results.append((original.name, ours.suffix, name, "same"))
    finally:
        again.unlink(missing_ok=True)
    return None


def is_refusal(failure):
    """Extensions over a dictionary, which pyarrow writes and does not read, are its own limit; other bytes must be valid."""
    return isinstance(failure, pa.ArrowNotImplementedError) or re.search("storage type.*dictionary<", str(failure))


def random(folder):
    again = folder / "again"
    again.mkdir()
    same = failed = 0
    for ours in sorted(path for path in folder.iterdir() if path.is_file()):
        try:
            schema, batches = read(ours)
        except (pa.ArrowNotImplementedError, pa.ArrowInvalid) as e:
            if not is_refusal(e):
                raise
            print(f"pyarrow refuses {ours.name}: {e}")
            continue
        try:
            for batch in batches:
                batch.validate(full=True)
            opener = pa.ipc.new_file if ours.suffix == ".arrow" else pa.ipc.new_stream
            with opener(str(again / ours.name), schema) as writer:
                for batch in batches:
                    writer.write_batch(batch)
            problem = None
        except Exception as e:
            problem = f"{type(e).__name__}: {e}"
        same += problem is None
        failed += problem is not None
        if problem:
            print(f"FAILED {ours.name}: {problem}")
    print(f"{same} passed, {failed} failed")


def readers(ours):
    if ours.suffix == ".arrow":
        yield "polars", lambda path: str(polars.read_ipc(str(path)))
    else:
        yield "polars", lambda path: str(polars.read_ipc_stream(str(path)))
        yield "nanoarrow", lambda path: str(list(nanoarrow.ArrayStream.from_path(str(path)).to_pylist()))


if __name__ == "__main__":
    {"make": make, "check": check, "random": random}[sys.argv[1]](pathlib.Path(sys.argv[2]))
