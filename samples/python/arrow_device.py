"""Arrow arrays of Java as the objects that Python libraries look for, and theirs as arrays of Java: in one process, without a copy.

    batch = arrow_device.RecordBatch(java_batch)       # has __arrow_c_array__ and its relatives
    table = pyarrow.table(batch)
    java_batch = arrow_device.import_batch(table.to_batches()[0])

It works the same whether Java hosts Python (Jep, in a SharedInterpreter) or Python hosts the JVM (JPype, after startJVM). The
JVM has arrow-device-core on its class path and the flag --enable-native-access=ALL-UNNAMED. It is one file, although a long
one, so that it can be copied next to a program.

What is made here of a Java object is one more owner of the same memory: the Java object stays its owner's, who closes it as
always. Only streams, which can't be shared, are handed over. An object made here lets go when Python drops it, or earlier by
close() or at the end of a with block; what consumers took from it lives on. What the import functions give is a Java object,
which Java code, or Python code by its close(), closes; until then it keeps the Python object alive that it came from.

It is one file, to be copied into the project that needs it.
"""

import atexit
import contextlib
import ctypes
import operator
import re
import types

try:
    import jpype.config

    _hosted_by_python = jpype.isJVMStarted()
except ImportError:
    _hosted_by_python = False

if _hosted_by_python:
    _class = jpype.JClass
    # When Python ends it frees what is left, arrays of Java among it, whose release needs a JVM that still runs; only JPype's
    # thread that would call Python must be gone by then.
    jpype.config.onexit = False
    atexit.register(_class("org.jpype.ref.JPypeReferenceQueue").getInstance().stop)
else:
    from jep import findClass as _class

_ArrowExport = _class("dev.arrowdevice.ArrowExport")
_ArrowImport = _class("dev.arrowdevice.ArrowImport")
_ArrowAddresses = _class("dev.arrowdevice.ArrowAddresses")
_CStruct = _class("dev.arrowdevice.CStruct")
_CudaArrayInterface = _class("dev.arrowdevice.interop.CudaArrayInterface")
_SyclUsmArrayInterface = _class("dev.arrowdevice.interop.SyclUsmArrayInterface")
_ReadOnlyFlag = _class("dev.arrowdevice.interop.SyclUsmArrayInterface$ReadOnlyFlag")
_PythonBuffer = _class("dev.arrowdevice.interop.SyclUsmArrayInterface$PythonBuffer")
_SyclObject = _class("dev.arrowdevice.interop.SyclObject")
_DlpackTensor = _class("dev.arrowdevice.interop.DlpackTensor")
_ExportOptions = _class("dev.arrowdevice.interop.ExportOptions")
_ImportOptions = _class("dev.arrowdevice.interop.ImportOptions")
_Device = _class("dev.arrowdevice.Device")
_Devices = _class("dev.arrowdevice.Devices")
_DeviceArrayStream = _class("dev.arrowdevice.DeviceArrayStream")
_Field = _class("dev.arrowdevice.Field")
_ArrayList = _class("java.util.ArrayList")
_HashMap = _class("java.util.HashMap")
_BigInteger = _class("java.math.BigInteger")
_Long = _class("java.lang.Long")

_CPU, _CUDA, _ROCM, _ONEAPI = 1, 2, 10, 14


# ---- what Java objects become ----


class _Owner:
    """One owner of a Java object."""

    def __init__(self, java):
        self._java = java

    def close(self):
        """Lets go of the memory, as far as no consumer holds it. May be called again."""
        java, self._java = self._java, None
        if java is not None:
            java.close()

    def _open(self, error=ValueError):
        if self._java is None:
            raise error(f"this {type(self).__name__} was closed")
        return self._java

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_java", None) is not None:
            self.close()


class Schema:
    """A Schema, Field or ArrowType of Java with __arrow_c_schema__."""

    def __init__(self, java):
        self._java = java

    def __arrow_c_schema__(self):
        with _java_errors():
            if hasattr(self._java, "toStruct"):
                field = self._java.toStruct()
            elif hasattr(self._java, "nullable"):
                field = self._java
            else:
                field = _Field.nullable("", self._java)
            struct = _CStruct.schema()
            capsule = _capsule(struct)
            _ArrowExport.exportField(field, struct)
            return capsule


class _Exportable(_Owner):
    """What arrays and batches have in common."""

    _export = _export_device = None

    def __init__(self, java):
        with _java_errors():
            super().__init__(java.share())

    def __arrow_c_array__(self, requested_schema=None):
        with _java_errors():
            return self._exported(_CStruct.array(), self._export, requested_schema)

    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        _require_known(kwargs)
        with _java_errors():
            return self._exported(_CStruct.deviceArray(), self._export_device, requested_schema)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._stream().__arrow_c_stream__(requested_schema)

    def __arrow_c_device_stream__(self, requested_schema=None, **kwargs):
        return self._stream().__arrow_c_device_stream__(requested_schema, **kwargs)

    def _stream(self):
        with _java_errors():
            share, arrays = self._array(), _ArrayList()
            arrays.add(share)
            return Stream(_DeviceArrayStream.ofArrays(self._field(), share.getDevice().type(), arrays.iterator(), share))

    def _exported(self, struct, export, requested_schema):
        array, schema_struct = _capsule(struct), _CStruct.schema()
        schema = _capsule(schema_struct)
        _require_compatible(self._field(), requested_schema)
        share = self._open().share()
        try:
            export(share, struct, schema_struct)
        finally:
            share.close()  # Does nothing once it was moved.
        return schema, array


class RecordBatch(_Exportable):
    """A RecordBatch of Java with __arrow_c_array__, __arrow_c_stream__ and their device variants."""

    _export = _ArrowExport.exportBatch
    _export_device = _ArrowExport.exportDeviceBatch

    def _field(self):
        return self._open().getSchema().toStruct()

    def _array(self):
        return self._open().share().intoStruct()


class Array(_Exportable):
    """A DeviceArray, or a column of a batch, with all attributes: those of Arrow, of DLPack and of its device.

    writable lets consumers write, which is for arrays that nobody else reads; options is an ExportOptions of Java for the
    array interfaces, such as the version, stream or mask of the CUDA Array Interface.
    """

    _export = _ArrowExport.exportArray
    _export_device = _ArrowExport.exportDeviceArray

    def __init__(self, java, writable=False, options=None):
        super().__init__(java)
        self._options = _ExportOptions.defaults() if options is None else options
        if writable:
            self._options = self._options.writable()

    def _field(self):
        return _Field.nullable("", self._open().getType())

    def _array(self):
        return self._open().share()

    def __dlpack_device__(self):
        device = self._open().getDevice()
        return int(device.type()), max(0, int(device.id()))

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        handle = _stream_handle(stream)
        java, device = self._open(), self.__dlpack_device__()
        target = device if dl_device is None else _pair("dl_device", dl_device)
        versioned = max_version is not None and _pair("max_version", max_version) >= (1, 0)
        if target not in (device, (_CPU, 0)):
            raise BufferError(f"data on DLPack device {device} goes to the CPU, (1, 0), or stays there, not to {target}")
        copying = copy or target != device
        if copying and copy is False:
            raise BufferError(f"data on DLPack device {device} does not get to {target} without a copy: leave copy out")
        with _java_errors(BufferError):
            options = self._options.writable().copied() if copying else self._options
            share = java.copyTo(_Device.CPU if target != device else java.getDevice()) if copying else java.share()
            try:
                options = options.stream(handle if target == device else None)
                if versioned:
                    return _take(_python.versionedTensor(_DlpackTensor.exportVersioned(share, options)))
                return _take(_python.legacyTensor(_DlpackTensor.exportLegacy(share, options)))
            finally:
                share.close()

    @property
    def __cuda_array_interface__(self):
        with _java_errors(AttributeError):
            return _cuda_dictionary(_CudaArrayInterface.of(self._open(AttributeError), self._options))

    @property
    def __sycl_usm_array_interface__(self):
        with _java_errors(AttributeError):
            java = self._open(AttributeError)
            if int(java.getDevice().type()) != _ONEAPI:
                raise AttributeError(f"the array lies on {java.getDevice()}, not in USM of SYCL")
            queue = int(_Devices.runtime(java.getDevice()).getDefaultQueue().getHandle())
            face = _SyclUsmArrayInterface.of(java, _SyclObject.queue(queue), self._options)
            return {
                "shape": _numbers(face.shape()),
                "typestr": str(face.typestr()),
                "data": (int(face.data()), bool(face.readOnly())),
                "strides": _numbers(face.strides()),
                "offset": int(face.offset()),
                "version": int(face.version()),
                # Java owns the queue for the life of the process: the capsule has no destructor.
                "syclobj": _api.PyCapsule_New(queue, b"SyclQueueRef", None),
            }


class Stream(_Owner):
    """A DeviceArrayStream, which it takes over, with __arrow_c_stream__ and __arrow_c_device_stream__.

    A stream can be consumed once.
    """

    def __init__(self, java):
        with _java_errors():
            super().__init__(_python.unlocked(java))

    def __arrow_c_stream__(self, requested_schema=None):
        with _java_errors():
            return self._exported(_CStruct.arrayStream(), _ArrowExport.exportStream, requested_schema)

    def __arrow_c_device_stream__(self, requested_schema=None, **kwargs):
        _require_known(kwargs)
        with _java_errors():
            return self._exported(_CStruct.deviceArrayStream(), _ArrowExport.exportDeviceStream, requested_schema)

    def _exported(self, struct, export, requested_schema):
        capsule, java = _capsule(struct), self._open()
        _require_compatible(java.getField(), requested_schema)
        export(java, struct)
        return capsule


def to_python(java):
    """The object above for a RecordBatch, a DeviceArray or column, a DeviceArrayStream, a Schema, Field or ArrowType."""
    for method, wrapper in (("getRowCount", RecordBatch), ("nextArray", Stream), ("share", Array)):
        if hasattr(java, method):
            return wrapper(java)
    return Schema(java)


# ---- what Python objects become ----


def import_field(source):
    """A Field of Java from an object with __arrow_c_schema__: a schema, a field or a type."""
    capsule = _attribute(source, "__arrow_c_schema__")()
    with _java_errors():
        return _ArrowImport.importField(_struct(capsule, b"arrow_schema"))


def import_schema(source):
    """A Schema of Java from an object with __arrow_c_schema__."""
    capsule = _attribute(source, "__arrow_c_schema__")()
    with _java_errors():
        return _ArrowImport.importSchema(_struct(capsule, b"arrow_schema"))


def import_array(source):
    """A DeviceArray from an object with __arrow_c_device_array__ or __arrow_c_array__."""
    return _import_array(source, _ArrowImport.importArray, _ArrowImport.importDeviceArray)


def import_batch(source):
    """A RecordBatch from an object with __arrow_c_device_array__ or __arrow_c_array__."""
    return _import_array(source, _ArrowImport.importBatch, _ArrowImport.importDeviceBatch)


def import_stream(source):
    """A DeviceArrayStream from an object with __arrow_c_device_stream__ or __arrow_c_stream__, such as a table or a reader."""
    export, on_device = _either(source, "__arrow_c_device_stream__", "__arrow_c_stream__")
    capsule = export()
    with _java_errors():
        if on_device:
            return _ArrowImport.importDeviceStream(_struct(capsule, b"arrow_device_array_stream"))
        return _ArrowImport.importStream(_struct(capsule, b"arrow_array_stream"))


def import_tensor(source, options=None, stream=None, copy=None):
    """A DeviceArray from an object with __dlpack__.

    options is an ImportOptions of Java. Of a tensor on a GPU of CUDA or ROCm, stream is the handle of the stream that its
    producer orders the data before, and the array after; by default that is the default stream. -1 is for data that is there
    or that ImportOptions.after(queue) waits for.
    """
    options = _ImportOptions.defaults() if options is None else options
    if stream is None or isinstance(stream, int):
        options = options.stream(_stream_handle(stream))
    export = _attribute(source, "__dlpack__")
    arguments = {} if stream is None else {"stream": stream}
    try:
        extra = {} if copy is None else {"copy": copy}
        capsule = export(max_version=(1, 2), **arguments, **extra)
    except TypeError:
        if copy is not None:
            raise
        capsule = export(**arguments)  # A producer that is older than DLPack 1.0.
    _pointer(capsule, b"dltensor_versioned" if _is_named(capsule, b"dltensor_versioned") else b"dltensor")
    with _java_errors():
        # Until Java has it the tensor is the capsule's, whatever happens here.
        return _python.importTensor(id(capsule), options)


def import_cuda(source, options=None):
    """A DeviceArray from an object with __cuda_array_interface__, which it keeps alive.

    options is an ImportOptions of Java that names the device; without it that is the one of CUDA or ROCm whose memory it is.
    """
    dictionary = _dictionary(source, "__cuda_array_interface__")
    with _java_errors():
        face = _CudaArrayInterface.fromMap(_java_map(dictionary))
        # The dictionary too: a mask may have no other owner.
        return _import_kept(face, (source, dictionary), (_CUDA, _ROCM), options)


def import_usm(source, options=None, strict=False):
    """A DeviceArray from an object with __sycl_usm_array_interface__, which it keeps alive.

    options is an ImportOptions of Java that names the device; without it that is the one of oneAPI whose memory it is. dpctl's memory
    objects say True where the specification's read-only flag is and mean writable: of bytes in one dimension it is not
    believed, unless strict.
    """
    dictionary = _dictionary(source, "__sycl_usm_array_interface__")
    if "syclobj" in dictionary:  # Java follows a capsule's pointer: the dictionary keeps it until the import is done.
        dictionary["syclobj"] = _sycl_capsule(dictionary["syclobj"])
    with _java_errors():
        flag = _ReadOnlyFlag.SPECIFIED if strict else _ReadOnlyFlag.LENIENT
        buffer, held = (None, None) if "data" in dictionary else _buffer(source)
        face = _SyclUsmArrayInterface.fromMap(_java_map(dictionary), flag, buffer)
        return _import_kept(face, (source, held), (_ONEAPI,), options)


# ---- C ----

_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.PyCapsule_GetName.restype = ctypes.c_char_p
_api.PyCapsule_GetName.argtypes = [ctypes.py_object]
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_api.Py_IncRef.argtypes = [ctypes.py_object]
_api.Py_DecRef.argtypes = [ctypes.py_object]

_FUNCTIONS = """Py_IsInitialized Py_DecRef PyGILState_Ensure PyGILState_Release PyGILState_GetThisThreadState PyThreadState_GetUnchecked
    PyEval_SaveThread PyEval_RestoreThread PyCapsule_New PyCapsule_IsValid PyCapsule_GetPointer
    PyCapsule_SetName"""
_BEFORE_3_13 = {"PyThreadState_GetUnchecked": "_PyThreadState_UncheckedGet"}


def _addresses():
    addresses = _HashMap()
    for name in _FUNCTIONS.split():
        known = name if hasattr(_api, name) else _BEFORE_3_13.get(name, name)
        addresses.put(name, ctypes.cast(getattr(_api, known), ctypes.c_void_p).value)
    return addresses


# A capsule may die while an exception is on its way, when no Python code may run: its destructor is Java's, not ours.
_python = _class("dev.arrowdevice.interop.PythonReferences").of(_addresses())
if _hosted_by_python:
    # The process takes Python's libraries down when it ends, while threads of Java still run, which must release nothing of
    # theirs by then.
    atexit.register(_python.end)


def _take(reference):
    """The object of a new reference, which is given up."""
    taken = ctypes.cast(int(reference), ctypes.py_object).value
    _api.Py_DecRef(taken)
    return taken


def _capsule(struct):
    """A capsule that owns a struct: whatever is in it when the capsule dies is released."""
    return _take(_python.capsule(struct))


def _owner(source):
    """What Java closes when it needs a Python object no more."""
    _api.Py_IncRef(source)
    return _python.owner(id(source))


def _is_named(capsule, name):
    return bool(_api.PyCapsule_IsValid(capsule, name))


_STRUCTS = {
    b"arrow_schema": _ArrowAddresses.schema,
    b"arrow_array": _ArrowAddresses.array,
    b"arrow_device_array": _ArrowAddresses.deviceArray,
    b"arrow_array_stream": _ArrowAddresses.arrayStream,
    b"arrow_device_array_stream": _ArrowAddresses.deviceArrayStream,
}


def _struct(capsule, name):
    """The C struct in a capsule of a name."""
    return _STRUCTS[name](_pointer(capsule, name))


def _pointer(capsule, name):
    if not _is_named(capsule, name):
        found = type(capsule).__name__
        if found == "PyCapsule":
            found = f"capsule named {_api.PyCapsule_GetName(capsule)}"
        raise ValueError(f"a capsule named {name} is needed that nobody has consumed; this is a {found}")
    return _api.PyCapsule_GetPointer(capsule, name)


# ---- between the two languages ----


@contextlib.contextmanager
def _java_errors(instead_of_value_error=ValueError):
    """Raises what Java throws as an exception of Python's, with Java's message and as its cause."""
    try:
        yield
    except Exception as error:
        java = error if hasattr(error, "getMessage") else error.args[0] if error.args else None
        if not hasattr(java, "getMessage"):
            raise
        names = [kind.__name__.rpartition(".")[2] for kind in type(java).__mro__]
        known = next((_ERRORS[name] for name in names if name in _ERRORS), RuntimeError)
        known = instead_of_value_error if known is ValueError else known
        raise known(str(java.getMessage() or java.toString())) from error


_ERRORS = {
    "IllegalArgumentException": ValueError,
    "IndexOutOfBoundsException": IndexError,
    "UnsupportedOperationException": NotImplementedError,
    "OutOfMemoryError": MemoryError,
    "OutOfDeviceMemoryException": MemoryError,
}


_KEYS = "shape typestr data version strides descr mask stream typedescr offset syclobj".split()
_DEEPEST = 16  # Lists within lists: a descr of parts that have parts.


def _java_map(dictionary, with_mask=True):
    """What an array interface's dictionary says under the keys that the interfaces know."""
    result = _HashMap()
    for key in _KEYS:
        if key in dictionary:
            value = dictionary[key]
            if key == "mask" and with_mask and hasattr(value, "__cuda_array_interface__"):
                result.put(key, _java_map(_dictionary(value, "__cuda_array_interface__"), with_mask=False))
            else:
                result.put(key, _sycl_object(value) if key == "syclobj" else _java(value))
    return result


def _java(value, within=()):
    """A value in Java's collections. What has no counterpart there is wrong for each key, as is a list that is too deep."""
    if isinstance(value, (tuple, list)) and len(within) < _DEEPEST and not any(value is list_ for list_ in within):
        result = _ArrayList()
        for item in value:
            result.add(_java(item, (*within, value)))
        return result
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 63:
        return _BigInteger(f"{value:x}", 16)
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()  # Java has no half of a surrogate pair.
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if getattr(value, "shape", None) == ():
        return value.item()  # a number of NumPy
    return _java([type(value).__name__])


def _numbers(java):
    return None if java is None else tuple(int(number) for number in java)


def _cuda_dictionary(face):
    dictionary = {
        "shape": _numbers(face.shape()),
        "typestr": str(face.typestr()),
        "data": (int(face.data()), bool(face.readOnly())),
        "strides": _numbers(face.strides()),
        "version": int(face.version()),
    }
    if face.mask() is not None:
        dictionary["mask"] = types.SimpleNamespace(__cuda_array_interface__=_cuda_dictionary(face.mask()))
    if face.version() >= 3:
        dictionary["stream"] = None if face.stream() is None else int(face.stream().handle())
    return dictionary


def _sycl_capsule(value):
    """The capsule of a queue or a context; anything else as it is."""
    return value._get_capsule() if hasattr(value, "_get_capsule") else value


def _sycl_object(capsule):
    """A capsule as name and pointer; a filter string as it is."""
    if type(capsule).__name__ != "PyCapsule":
        return _java(capsule)
    name = _api.PyCapsule_GetName(capsule)
    result = _HashMap()
    result.put("name", "" if name is None else name.decode("utf-8", "backslashreplace"))
    result.put("pointer", _api.PyCapsule_GetPointer(capsule, name))
    return result


def _import_kept(face, source, device_types, options):
    owner = _owner(source)
    try:
        return face.importArray(owner, _ImportOptions.on(_device_of(face, device_types)) if options is None else options)
    except BaseException:
        owner.close()  # Java has done that, unless the bridge did not even call it.
        raise


def _device_of(face, device_types):
    """The device of one of the types whose memory a pointer is; the first one where none of them says so, which Java refuses."""
    for type_ in device_types:
        _Devices.find(_Device(type_, 0))  # Looks for devices, if nobody has yet.
    known = [device for type_ in device_types for device in _Devices.list() if int(device.type()) == type_]
    if not known:
        raise ValueError("nobody here can tell whose memory the data is: options, by ImportOptions.on(device), must say it")
    for device in known:
        found = _Devices.runtime(device).deviceOf(face.data()) if face.data() else None
        if found is not None and int(found.type()) in device_types:
            return found
    return known[0]


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


_api.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.POINTER(_PyBuffer), ctypes.c_int]
_api.PyBuffer_Release.argtypes = [ctypes.POINTER(_PyBuffer)]
_api.PyBuffer_Release.restype = None


def _buffer(source):
    """What stands for "data" where that is missing, the object's buffer, and what keeps it where it is."""
    view = _PyBuffer()
    try:
        held = memoryview(source)
        _api.PyObject_GetBuffer(held, view, 0)  # PyBUF_SIMPLE
    except (TypeError, BufferError):
        return None, None
    try:
        return _PythonBuffer(view.buf or 0, view.len, bool(view.readonly)), held
    finally:
        _api.PyBuffer_Release(view)


def _stream_handle(stream):
    if stream is None:
        return None
    if not isinstance(stream, int) or isinstance(stream, bool):
        raise TypeError(f"stream: a number is needed, a stream's handle; this is a {type(stream).__name__}")
    if not -(2**63) <= stream < 2**64:
        raise ValueError(f"stream: a stream's handle has 64 bits, and this number {stream.bit_length()}")
    return _Long.valueOf(str(int(stream - 2**64 if stream >= 2**63 else stream)))


def _pair(name, value):
    """Two numbers, as DLPack passes versions and devices."""
    try:
        first, second = value
        return operator.index(first), operator.index(second)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a pair of numbers is needed, not {value!r}") from None


def _attribute(source, name):
    attribute = getattr(source, name, None)
    if attribute is None:
        raise TypeError(f"an object with {name} is needed; a {type(source).__name__} has none")
    return attribute


def _dictionary(source, name):
    attribute = _attribute(source, name)
    if not isinstance(attribute, dict):
        raise TypeError(f"{name} of a {type(source).__name__} is a {type(attribute).__name__}, not a dictionary")
    return dict(attribute)


def _either(source, on_device, plain):
    """The first of two methods that an object has, and whether it is the one for all devices."""
    if hasattr(source, on_device):
        return getattr(source, on_device), True
    if not hasattr(source, plain):
        raise TypeError(f"an object with {on_device} or {plain} is needed; a {type(source).__name__} has neither")
    return getattr(source, plain), False


def _import_array(source, importing, importing_device):
    export, on_device = _either(source, "__arrow_c_device_array__", "__arrow_c_array__")
    schema, array = export()
    with _java_errors():
        structs = _struct(array, b"arrow_device_array" if on_device else b"arrow_array"), _struct(schema, b"arrow_schema")
        return (importing_device if on_device else importing)(*structs)


def _require_known(arguments):
    unknown = [name for name, value in arguments.items() if value is not None]
    if unknown:
        raise NotImplementedError(f"unknown arguments: {', '.join(unknown)}")


def _require_compatible(field, requested_schema):
    """Data is never converted for a requested schema: "they may return with the same schema as if None were passed"."""
    if requested_schema is not None:
        requested = _ArrowImport.importField(_struct(requested_schema, b"arrow_schema"))
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
