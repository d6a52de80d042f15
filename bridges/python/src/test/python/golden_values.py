"""Values of Arrow's integration files: as their JSON says, and as Java's getters read them, in the same form.

Numbers, booleans, texts and None are themselves, floats too; bytes are hexadecimal; decimals and intervals are numbers as they
are stored; lists are lists, structs and the entries of maps are tuples, and a union's value is a pair with the type id.
"""

import struct


class Json:
    """The columns of a JSON file."""

    def __init__(self, file):
        self._file = file
        self._fields = {}
        for field in file["schema"]["fields"]:
            self._find_dictionaries(field)
        self._dictionaries = {}
        for each in self._in_order(file.get("dictionaries", [])):
            self._dictionaries[each["id"]] = self.column(self._fields[each["id"]], each["data"]["columns"][0], True)

    def _find_dictionaries(self, field):
        if "dictionary" in field:
            self._fields[field["dictionary"]["id"]] = field
        for child in field["children"]:
            self._find_dictionaries(child)

    def _in_order(self, dictionaries):
        """Those of inner types first."""

        def depth(field):
            return 1 + max((depth(child) for child in field["children"]), default=0)

        return sorted(dictionaries, key=lambda each: depth(self._fields[each["id"]]))

    def batches(self):
        for batch in self._file["batches"]:
            yield [self.column(field, column) for field, column in zip(self._file["schema"]["fields"], batch["columns"])]

    def column(self, field, column, in_dictionary=False):
        """All values of a column."""
        if "dictionary" in field and not in_dictionary:
            values = self._dictionaries[field["dictionary"]["id"]]
            # The file says of nulls only that they are null.
            return [values[index] if valid else None for valid, index in zip(_validity(column), column["DATA"])]
        children = [self.column(*pair) for pair in zip(field["children"], column.get("children", []))]
        kind = field["type"]["name"]
        if kind == "null":
            return [None] * column["count"]
        if kind == "union":
            return self._union(field["type"], column, children)
        if kind == "runendencoded":
            ends, values = children
            return [values[next(i for i, end in enumerate(ends) if row < end)] for row in range(column["count"])]
        value = self._value
        return [value(field["type"], column, children, row) if valid else None for row, valid in enumerate(_validity(column))]

    def _union(self, type_, column, children):
        ids = column["TYPE_ID"]
        rows = range(column["count"]) if type_["mode"] == "SPARSE" else column["OFFSET"]
        return [(id_, children[type_["typeIds"].index(id_)][row]) for id_, row in zip(ids, rows)]

    def _value(self, type_, column, children, row):
        kind = type_["name"]
        if kind == "struct":
            return tuple(child[row] for child in children)
        if kind == "fixedsizelist":
            return children[0][row * type_["listSize"] : (row + 1) * type_["listSize"]]
        if kind in ("listview", "largelistview"):
            start = int(column["OFFSET"][row])
            return children[0][start : start + int(column["SIZE"][row])]
        if kind in ("list", "largelist", "map"):
            return children[0][int(column["OFFSET"][row]) : int(column["OFFSET"][row + 1])]
        if kind in ("utf8view", "binaryview"):
            return _view(kind, column, row)
        value = column["DATA"][row]
        if kind in ("utf8", "largeutf8", "binary", "largebinary", "fixedsizebinary"):
            return value
        if kind == "bool":
            return bool(value)
        if kind == "floatingpoint":
            return _single(value) if type_["precision"] == "SINGLE" else float(value)
        if isinstance(value, dict):
            return tuple(value[name] for name in ("months", "days", "milliseconds", "nanoseconds") if name in value)
        return int(value)


def _validity(column):
    return column.get("VALIDITY", [1] * column["count"])


def _single(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def _view(kind, column, row):
    view = column["VIEWS"][row]
    if "INLINED" in view:
        return view["INLINED"]
    start = 2 * view["OFFSET"]
    hexadecimal = column["VARIADIC_DATA_BUFFERS"][view["BUFFER_INDEX"]][start : start + 2 * view["SIZE"]]
    return bytes.fromhex(hexadecimal).decode() if kind == "utf8view" else hexadecimal


def java_values(reader):
    """All values that an ArrayReader reads."""
    return _range(reader, 0, int(reader.getLength()))


def _range(reader, start, count):
    return [_java_value(reader, row) for row in range(start, start + count)]


def _java_value(reader, row):
    type_ = reader.getType().storageType()
    kind = str(type_.id())
    if kind.endswith("_UNION"):
        child = int(reader.unionChild(row))
        return int(type_.typeIds()[child]), _java_value(reader.child(child), int(reader.unionOffset(row)))
    if kind == "RUN_END_ENCODED":
        return _java_value(reader.child(1), int(reader.runIndex(row)))
    if bool(reader.isNull(row)):
        return None
    if kind == "DICTIONARY":
        return _java_value(reader.getDictionary(), int(reader.dictionaryIndex(row)))
    if kind == "STRUCT":
        return tuple(_java_value(reader.child(i), row) for i in range(int(reader.getChildCount())))
    if "LIST" in kind or kind == "MAP":
        return _range(reader.child(0), int(reader.listStart(row)), int(reader.listSize(row)))
    return _plain(reader, row, kind)


def _plain(reader, row, kind):
    if kind == "BOOL":
        return bool(reader.getBoolean(row))
    if kind.startswith("FLOAT"):
        return float(reader.getDouble(row))
    if kind.startswith("DECIMAL"):
        return int(str(reader.getDecimal(row).unscaledValue()))
    if "UTF8" in kind:
        return str(reader.getString(row))
    if "BINARY" in kind:
        return "".join(f"{int(byte) & 0xFF:02X}" for byte in reader.getBytes(row))
    if kind in ("INTERVAL_DAY_TIME", "INTERVAL_MONTH_DAY_NANO"):
        value = reader.getObject(row)
        names = ("days", "milliseconds") if kind.endswith("TIME") else ("months", "days", "nanoseconds")
        return tuple(int(getattr(value, name)()) for name in names)
    if kind.startswith("UINT"):
        return int(str(reader.getObject(row)))
    return int(reader.getLong(row))
