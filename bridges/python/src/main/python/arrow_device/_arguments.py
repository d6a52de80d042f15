"""Checks arguments, and raises TypeError or ValueError for wrong ones."""

import operator

from ._java import Long, Validation


def stream_handle(stream):
    if stream is None:
        return None
    if not isinstance(stream, int) or isinstance(stream, bool):
        raise TypeError(f"stream: a number is needed, a stream's handle; this is a {type(stream).__name__}")
    if not -(2**63) <= stream < 2**64:
        raise ValueError(f"stream: a stream's handle has 64 bits, and this number {stream.bit_length()}")
    return Long.valueOf(str(int(stream - 2**64 if stream >= 2**63 else stream)))


def validation_of(validation):
    """A Validation of Java from its name, in lower case, or itself."""
    if validation is None:
        return Validation.STRUCTURE
    if not isinstance(validation, str):
        if isinstance(validation, type(Validation.STRUCTURE)):
            return validation
        raise TypeError(f"validation: a name is needed, such as 'full'; this is a {type(validation).__name__}")
    known = {str(level.name()).lower(): level for level in Validation.values()}
    if validation not in known:
        raise ValueError(f"validation: {validation!r} is none of {', '.join(map(repr, known))}")
    return known[validation]


def pair_of(name, value):
    """Two numbers, as DLPack passes versions and devices."""
    try:
        first, second = value
        return operator.index(first), operator.index(second)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a pair of numbers is needed, not {value!r}") from None


def attribute_of(source, name):
    attribute = getattr(source, name, None)
    if attribute is None:
        raise TypeError(f"an object with {name} is needed; a {type(source).__name__} has none")
    return attribute


def dictionary_of(source, name):
    attribute = attribute_of(source, name)
    if not isinstance(attribute, dict):
        raise TypeError(f"{name} of a {type(source).__name__} is a {type(attribute).__name__}, not a dictionary")
    return dict(attribute)


def first_of(source, on_device, plain):
    """The first of two methods that an object has, and whether it is the one for all devices."""
    if hasattr(source, on_device):
        return getattr(source, on_device), True
    if not hasattr(source, plain):
        raise TypeError(f"an object with {on_device} or {plain} is needed; a {type(source).__name__} has neither")
    return getattr(source, plain), False


def require_known(arguments):
    unknown = [name for name, value in arguments.items() if value is not None]
    if unknown:
        raise NotImplementedError(f"unknown arguments: {', '.join(unknown)}")
