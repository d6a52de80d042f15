"""Checks and applies a requested_schema."""

import re

from ._capsules import struct_in
from ._java import ArrowImport


def require_compatible(field, requested_schema):
    """Data is never converted for a requested schema: "they may return with the same schema as if None were passed"."""
    if requested_schema is not None:
        requested = ArrowImport.importField(struct_in(requested_schema, b"arrow_schema"))
        _require_same_kind(field, requested, "the data")


def _require_same_kind(field, requested, what):
    """ "If the caller requests a schema that is not compatible with the data, the callee should raise an exception." """
    ours, theirs = _plain(field.type()), _plain(requested.type())
    fields = [list(type_.children()) for type_ in (ours, theirs)]
    if _kind(ours) != _kind(theirs) or len(fields[0]) != len(fields[1]):
        raise ValueError(f"requested_schema: {what} is {field.type()}, which can't be shown as {requested.type()}")
    for ours, theirs in zip(*fields):
        _require_same_kind(ours, theirs, f'"{ours.name()}"')


def _plain(type_):
    """The type of the values, however they are encoded."""
    type_ = type_.storageType()
    if str(type_.id()) == "DICTIONARY":
        return _plain(type_.valueType())
    if str(type_.id()) == "RUN_END_ENCODED":
        return _plain(list(type_.children())[1].type())
    return type_


def _kind(type_):
    """INT of all integers, LIST of all lists, and so on."""
    return re.sub(r"\d+|_VIEW$|^(U(?=INT)|LARGE_|FIXED_SIZE_|SPARSE_|DENSE_)+", "", str(type_.id()))
