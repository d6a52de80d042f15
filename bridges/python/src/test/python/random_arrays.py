"""Random types of Arrow, by hypothesis, and random arrays of a type, with pyarrow's own means."""

import decimal
import random

import pyarrow as pa
from hypothesis import strategies as st

_INTEGERS = [pa.int8(), pa.uint8(), pa.int16(), pa.uint16(), pa.int32(), pa.uint32(), pa.int64(), pa.uint64()]
_UNITS = ["s", "ms", "us", "ns"]
_LEAVES = [
    *_INTEGERS,
    *[pa.null(), pa.bool_(), pa.float16(), pa.float32(), pa.float64()],
    *[pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()],
    *[pa.date32(), pa.date64(), pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")],
    *[pa.duration(unit) for unit in _UNITS],
    *[pa.timestamp(unit, zone) for unit, zone in zip(_UNITS, [None, "UTC", "Europe/Berlin", "+05:30"])],
    *[pa.month_day_nano_interval(), pa.uuid(), pa.bool8(), pa.json_()],
]
_NAMES = ["a", "b", "größe", "世界", "", 'quote"d']
_TEXTS = ["", "a", "grün", "twelve bytes", "long enough for a buffer of its own", "🚀"]
_BYTES = [b"", b"\0\xff", b"twelve bytes", b"\xfe" * 20]


class Money(pa.ExtensionType):
    """An extension type that pyarrow knows, with a parameter."""

    def __init__(self, storage, currency):
        self.currency = currency
        super().__init__(storage, "test.money")

    def __arrow_ext_serialize__(self):
        return self.currency.encode()

    @classmethod
    def __arrow_ext_deserialize__(cls, storage, serialized):
        return cls(storage, serialized.decode())


def _decimals():
    sizes = [(pa.decimal32, 9), (pa.decimal64, 18), (pa.decimal128, 38), (pa.decimal256, 76)]

    def of(size):
        make, most = size
        precisions = st.integers(1, most)
        # pyarrow makes a value of negative scale by way of all its digits before the point, which the size must have room for.
        return precisions.flatmap(
            lambda precision: st.builds(make, st.just(precision), st.integers(max(-2, precision - most), precision))
        )

    return st.sampled_from(sizes).flatmap(of)


_leaves = st.one_of(st.sampled_from(_LEAVES), _decimals(), st.integers(0, 20).map(pa.binary))
_metadata = st.sampled_from([None, None, None, {"key": "value", "größe": "wért", "empty": ""}])


def _fields(types, names=st.sampled_from(_NAMES)):
    def of(name, type_, nullable, metadata):
        return pa.field(name, type_, nullable or pa.types.is_null(type_), metadata)

    return st.builds(of, names, types, st.booleans(), _metadata)


def _several(types, least):
    names = st.lists(st.sampled_from(_NAMES), min_size=least, max_size=3, unique=True)
    return names.flatmap(lambda chosen: st.tuples(*[_fields(types, st.just(name)) for name in chosen]).map(list))


def _unions(types):
    def of(fields):
        codes = st.lists(st.integers(0, 127), min_size=len(fields), max_size=len(fields), unique=True)
        return st.builds(pa.union, st.just(fields), st.sampled_from(["sparse", "dense"]), codes)

    return _several(types, 1).flatmap(of)


def _nested(types):
    items = _fields(types, st.just("item"))
    values = types.filter(lambda type_: not pa.types.is_run_end_encoded(type_))
    return st.one_of(
        st.builds(
            lambda make, item: make(item),
            st.sampled_from([pa.list_, pa.large_list, pa.list_view, pa.large_list_view]),
            items,
        ),
        st.builds(pa.list_, items, st.integers(0, 3)),
        st.builds(pa.struct, _several(types, 0)),
        st.builds(pa.map_, types.filter(lambda type_: not pa.types.is_null(type_)), types, st.booleans()),
        st.builds(pa.dictionary, st.sampled_from(_INTEGERS), values, st.booleans()),
        st.builds(pa.run_end_encoded, st.sampled_from([pa.int16(), pa.int32(), pa.int64()]), values),
        _unions(types),
        st.builds(Money, _leaves.filter(lambda type_: not isinstance(type_, pa.BaseExtensionType)), st.just("EUR")),
    )


types = st.recursive(_leaves, _nested, max_leaves=5)
schemas = st.builds(lambda fields, metadata: pa.schema(fields, metadata), _several(types, 0), _metadata)


class Arrays:
    """Random arrays of random.Random(seed)."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def field(self, field, length):
        """An array of so many rows for a field, with an offset or without."""
        return self.array(field.type, length, field.nullable)

    def array(self, type_, length, nullable=True):
        before, behind = self._random.choice([(0, 0), (0, 0), (3, 0), (9, 2)])
        made = self._whole(type_, before + length + behind, nullable)
        return made.slice(before, length)

    def _whole(self, type_, length, nullable):
        if isinstance(type_, pa.BaseExtensionType):
            return type_.wrap_array(self._whole(type_.storage_type, length, nullable))
        if pa.types.is_null(type_):
            return pa.nulls(length)
        if pa.types.is_dictionary(type_):
            return self._dictionary(type_, length, nullable)
        if pa.types.is_nested(type_) or pa.types.is_run_end_encoded(type_):
            return self._nested(type_, length, nullable)
        values = [self._value(type_) if valid else None for valid in self._valid(length, nullable)]
        if pa.types.is_temporal(type_) and not pa.types.is_interval(type_):
            return pa.array(values, pa.int32() if type_.bit_width == 32 else pa.int64()).view(type_)
        return pa.array(values, type_)

    def _valid(self, length, nullable):
        share = self._random.choice([0, 0.3, 1]) if nullable else 0
        return [self._random.random() >= share for _ in range(length)]

    def _value(self, type_):
        choose = self._random
        if pa.types.is_boolean(type_):
            return choose.random() < 0.5
        if pa.types.is_integer(type_):
            least = -(2 ** (type_.bit_width - 1)) if pa.types.is_signed_integer(type_) else 0
            return choose.choice([least, least + 2**type_.bit_width - 1, choose.randrange(least, least + 2**type_.bit_width)])
        if pa.types.is_floating(type_):
            return choose.choice([0.0, -0.0, 1.5, float("inf"), -65504.0])
        if pa.types.is_decimal(type_):
            unscaled = choose.randrange(-(10**type_.precision) + 1, 10**type_.precision)
            return decimal.Decimal((unscaled < 0, tuple(map(int, str(abs(unscaled)))), -type_.scale))
        if pa.types.is_fixed_size_binary(type_):
            return choose.randbytes(type_.byte_width)
        if pa.types.is_interval(type_):
            return pa.MonthDayNano([choose.randrange(-99, 99), choose.randrange(-99, 99), choose.randrange(-(2**62), 2**62)])
        if pa.types.is_date64(type_):
            return choose.randrange(-10_000, 10_000) * 86_400_000
        if pa.types.is_date(type_) or pa.types.is_time(type_):
            return choose.randrange(86_400)
        if pa.types.is_temporal(type_):
            return choose.choice([-1, 0, choose.randrange(-(2**40), 2**40)])
        text = type_ in (pa.string(), pa.large_string(), pa.string_view())
        if text:
            return choose.choice(_TEXTS)
        return choose.choice(_BYTES)

    def _dictionary(self, type_, length, nullable):
        values = self.array(type_.value_type, self._random.randrange(1, 6))
        indices = [self._random.randrange(len(values)) if valid else None for valid in self._valid(length, nullable)]
        return pa.DictionaryArray.from_arrays(pa.array(indices, type_.index_type), values, ordered=type_.ordered)

    def _nested(self, type_, length, nullable):
        if pa.types.is_union(type_):
            return self._union(type_, length)
        if pa.types.is_run_end_encoded(type_):
            return self._runs(type_, length, nullable)
        valid = self._valid(length, nullable)
        bitmap = None if all(valid) else pa.py_buffer(_bits(valid))
        buffers, children = self._layout(type_, length)
        return pa.Array.from_buffers(type_, length, [bitmap, *buffers], children=children)

    def _layout(self, type_, length):
        """The buffers but the bitmap, and the children, of lists and structs."""
        if pa.types.is_struct(type_):
            return [], [self.field(field, length) for field in type_]
        if pa.types.is_fixed_size_list(type_):
            return [], [self.field(type_.value_field, length * type_.list_size)]
        sizes = [self._random.randrange(4) for _ in range(length)]
        wide = pa.types.is_large_list(type_) or pa.types.is_large_list_view(type_)
        number = pa.int64() if wide else pa.int32()
        if pa.types.is_list_view(type_) or pa.types.is_large_list_view(type_):
            child = self.field(type_.value_field, 6)
            starts = [self._random.randrange(len(child) - size + 1) for size in sizes]
            return [_numbers(starts, number), _numbers(sizes, number)], [child]
        offsets = [sum(sizes[:i]) + 1 for i in range(length + 1)]
        if pa.types.is_map(type_):
            entries = pa.struct([type_.key_field, type_.item_field])
            columns = [self.field(type_.key_field, offsets[-1]), self.field(type_.item_field, offsets[-1])]
            child = pa.Array.from_buffers(entries, offsets[-1], [None], children=columns)
        else:
            child = self.field(type_.value_field, offsets[-1])
        return [_numbers(offsets, number)], [child]

    def _union(self, type_, length):
        fields = [type_.field(i) for i in range(type_.num_fields)]
        chosen = [self._random.randrange(len(fields)) for _ in range(length)]
        codes = _numbers([type_.type_codes[child] for child in chosen], pa.int8())
        if type_.mode == "sparse":
            children = [self.field(field, length) for field in fields]
            return pa.Array.from_buffers(type_, length, [None, codes], children=children)
        offsets = [chosen[:i].count(child) for i, child in enumerate(chosen)]
        children = [self.field(field, chosen.count(child)) for child, field in enumerate(fields)]
        return pa.Array.from_buffers(type_, length, [None, codes, _numbers(offsets, pa.int32())], children=children)

    def _runs(self, type_, length, nullable):
        ends, end = [], 0
        while end < length:
            end += self._random.randrange(1, 5)
            ends.append(end)
        values = self.array(type_.value_type, len(ends), nullable)
        children = [pa.array(ends, type_.run_end_type), values]
        return pa.Array.from_buffers(type_, length, [None], children=children)


def _bits(valid):
    bits = bytearray((len(valid) + 7) // 8)
    for i, one in enumerate(valid):
        bits[i // 8] |= one << i % 8
    return bytes(bits)


def _numbers(values, type_):
    return pa.array(values, type_).buffers()[1] or pa.py_buffer(b"")
