"""The C API of Python: capsules, references and buffers."""

import atexit
import ctypes

from ._java import CStruct, HashMap, hosted_by_python, PythonInterpreter


api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_GetName.restype = ctypes.c_char_p
api.PyCapsule_GetName.argtypes = [ctypes.py_object]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.Py_IncRef.argtypes = [ctypes.py_object]
api.Py_DecRef.argtypes = [ctypes.py_object]

_FUNCTIONS = """Py_IsInitialized Py_DecRef PyGILState_Ensure PyGILState_Release PyGILState_GetThisThreadState PyThreadState_GetUnchecked
    PyEval_SaveThread PyEval_RestoreThread PyCapsule_New PyCapsule_IsValid PyCapsule_GetPointer
    PyCapsule_SetName"""
_BEFORE_3_13 = {"PyThreadState_GetUnchecked": "_PyThreadState_UncheckedGet"}


def _addresses():
    addresses = HashMap()
    for name in _FUNCTIONS.split():
        known = name if hasattr(api, name) else _BEFORE_3_13.get(name, name)
        addresses.put(name, ctypes.cast(getattr(api, known), ctypes.c_void_p).value)
    return addresses


# Python may destroy a capsule while an exception is raised, when no Python code may run. So its destructor is Java's.
interpreter = PythonInterpreter.of(_addresses())
if hosted_by_python:
    # When the process ends it unloads Python's libraries while threads of Java still run. Those must release no memory of the
    # libraries any more.
    atexit.register(interpreter.end)


def take_reference(reference):
    """The object of a new reference, which is given up."""
    taken = ctypes.cast(int(reference), ctypes.py_object).value
    api.Py_DecRef(taken)
    return taken


def new_capsule(struct):
    """A capsule that owns a CStruct or a DlpackStruct. If nobody has imported its content, the capsule's destructor releases it."""
    return take_reference(interpreter.capsule(struct))


def owner_of(source):
    """An owner of a Python object, which Java closes."""
    api.Py_IncRef(source)
    return interpreter.owner(id(source))


def is_named(capsule, name):
    return bool(api.PyCapsule_IsValid(capsule, name))


_STRUCTS = {
    b"arrow_schema": CStruct.schemaAt,
    b"arrow_array": CStruct.arrayAt,
    b"arrow_device_array": CStruct.deviceArrayAt,
    b"arrow_array_stream": CStruct.arrayStreamAt,
    b"arrow_device_array_stream": CStruct.deviceArrayStreamAt,
}


def struct_in(capsule, name):
    """The C struct in a capsule of a name."""
    return _STRUCTS[name](pointer_in(capsule, name))


def pointer_in(capsule, name):
    if not is_named(capsule, name):
        found = type(capsule).__name__
        if found == "PyCapsule":
            found = f"capsule named {api.PyCapsule_GetName(capsule)}"
        raise ValueError(f"a capsule named {name} is needed that nobody has consumed; this is a {found}")
    return api.PyCapsule_GetPointer(capsule, name)


class _PyBuffer(ctypes.Structure):
    """Py_buffer of PEP 3118."""

    _fields_ = [
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.c_void_p),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        *[(name, ctypes.c_void_p) for name in ("format", "shape", "strides", "suboffsets", "internal")],
    ]


api.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
api.PyBuffer_Release.argtypes = [ctypes.POINTER(_PyBuffer)]
api.PyBuffer_Release.restype = None


def buffer_of(source):
    """The object's buffer: its address, size and whether it is read-only, and what keeps it where it is; None if it has none."""
    view = _PyBuffer()
    try:
        held = memoryview(source)
        api.PyObject_GetBuffer(held, view, 0)  # PyBUF_SIMPLE
    except (TypeError, BufferError):
        return None
    try:
        return view.buf or 0, view.len, bool(view.readonly), held
    finally:
        api.PyBuffer_Release(view)
