"""The dictionaries of the array interfaces, as maps of Java and back."""

import types

from ._arguments import dictionary_of
from ._capsules import api
from ._java import ArrayList, BigInteger, HashMap


_KEYS = "shape typestr data version strides descr mask stream typedescr offset syclobj".split()
_DEEPEST = 16  # Lists within lists: a descr of parts that have parts.


def java_map(dictionary, with_mask=True):
    """What an array interface's dictionary says under the keys that the interfaces know."""
    result = HashMap()
    for key in _KEYS:
        if key in dictionary:
            value = dictionary[key]
            if key == "mask" and with_mask and hasattr(value, "__cuda_array_interface__"):
                result.put(key, java_map(dictionary_of(value, "__cuda_array_interface__"), with_mask=False))
            else:
                result.put(key, _sycl_object(value) if key == "syclobj" else _java(value))
    return result


def _java(value, within=()):
    """A value in Java's collections. What has no counterpart there is wrong for each key, as is a list that is too deep."""
    if isinstance(value, (tuple, list)) and len(within) < _DEEPEST and not any(value is list_ for list_ in within):
        result = ArrayList()
        for item in value:
            result.add(_java(item, (*within, value)))
        return result
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63:
        return BigInteger(f"{value:x}", 16)
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()  # Java has no half of a surrogate pair.
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if getattr(value, "shape", None) == ():
        return value.item()  # a number of NumPy
    return _java([type(value).__name__])


def tuple_of(java):
    return None if java is None else tuple(int(number) for number in java)


def cuda_dictionary(face):
    dictionary = {
        "shape": tuple_of(face.shape()),
        "typestr": str(face.typestr()),
        "data": (int(face.data()), bool(face.readOnly())),
        "strides": tuple_of(face.strides()),
        "version": int(face.version()),
    }
    if face.mask() is not None:
        dictionary["mask"] = types.SimpleNamespace(__cuda_array_interface__=cuda_dictionary(face.mask()))
    if face.version() >= 3:
        dictionary["stream"] = None if face.stream() is None else int(face.stream())
    return dictionary


def sycl_dictionary(face, queue):
    return {
        "shape": tuple_of(face.shape()),
        "typestr": str(face.typestr()),
        "data": (int(face.data()), bool(face.readOnly())),
        "strides": tuple_of(face.strides()),
        "offset": int(face.offset()),
        "version": int(face.version()),
        # Java owns the queue for the life of the process: the capsule has no destructor.
        "syclobj": api.PyCapsule_New(queue, b"SyclQueueRef", None),
    }


def sycl_capsule(value):
    """The capsule of a queue or a context; anything else as it is."""
    return value._get_capsule() if hasattr(value, "_get_capsule") else value


def _sycl_object(capsule):
    """A capsule as name and pointer; a filter string as it is."""
    if type(capsule).__name__ != "PyCapsule":
        return _java(capsule)
    name = api.PyCapsule_GetName(capsule)
    result = HashMap()
    result.put("name", "" if name is None else name.decode("utf-8", "backslashreplace"))
    result.put("pointer", api.PyCapsule_GetPointer(capsule, name))
    return result
