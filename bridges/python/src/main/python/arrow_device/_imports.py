"""Imports Python objects as Java objects."""

from ._arguments import attribute_of, dictionary_of, first_of, stream_handle, validation_of
from ._capsules import buffer_of, interpreter, is_named, owner_of, pointer_in, struct_in
from ._dictionaries import java_map, sycl_capsule
from ._java import (
    ArrowImport,
    CUDA,
    CudaArrayInterface,
    Device,
    Devices,
    ImportOptions,
    ONEAPI,
    ROCM,
    SyclUsmArrayInterface,
    java_errors,
)


def import_field(source):
    """A Field of Java from an object with __arrow_c_schema__: a schema, a field or a type."""
    capsule = attribute_of(source, "__arrow_c_schema__")()
    with java_errors():
        return ArrowImport.importField(struct_in(capsule, b"arrow_schema"))


def import_schema(source):
    """A Schema of Java from an object with __arrow_c_schema__."""
    capsule = attribute_of(source, "__arrow_c_schema__")()
    with java_errors():
        return ArrowImport.importSchema(struct_in(capsule, b"arrow_schema"))


def import_array(source, validation=None):
    """A DeviceArray from an object with __arrow_c_device_array__ or __arrow_c_array__.

    validation is 'structure', the default, 'full' or 'none': how much of the data is checked, as Validation of Java says.
    """
    return _import_array(source, validation, ArrowImport.importArray, ArrowImport.importDeviceArray)


def import_batch(source, validation=None):
    """A RecordBatch from an object with __arrow_c_device_array__ or __arrow_c_array__. validation is that of import_array."""
    return _import_array(source, validation, ArrowImport.importBatch, ArrowImport.importDeviceBatch)


def import_stream(source, validation=None):
    """A DeviceArrayStream from an object with __arrow_c_device_stream__ or __arrow_c_stream__, such as a table or a reader.

    Each of its batches is validated as validation says, which is that of import_array.
    """
    level = validation_of(validation)
    export, on_device = first_of(source, "__arrow_c_device_stream__", "__arrow_c_stream__")
    capsule = export()
    with java_errors():
        if on_device:
            return ArrowImport.importDeviceStream(struct_in(capsule, b"arrow_device_array_stream"), level)
        return ArrowImport.importStream(struct_in(capsule, b"arrow_array_stream"), level)


def import_tensor(source, options=None, stream=None, copy=None):
    """A DeviceArray from an object with __dlpack__.

    options is an ImportOptions of Java. Of a tensor on a GPU of CUDA or ROCm, stream is the handle of the stream that its
    producer orders the data before, and the array after; by default that is the default stream. -1 is for data that is there
    or that ImportOptions.after(queue) waits for.
    """
    options = ImportOptions.defaults() if options is None else options
    if stream is None or isinstance(stream, int):
        options = options.stream(stream_handle(stream))
    export = attribute_of(source, "__dlpack__")
    arguments = {} if stream is None else {"stream": stream}
    try:
        extra = {} if copy is None else {"copy": copy}
        capsule = export(max_version=(1, 2), **arguments, **extra)
    except TypeError:
        if copy is not None:
            raise
        capsule = export(**arguments)  # A producer that is older than DLPack 1.0.
    pointer_in(capsule, b"dltensor_versioned" if is_named(capsule, b"dltensor_versioned") else b"dltensor")
    with java_errors():
        # If this fails, the capsule still owns the tensor.
        return interpreter.importTensor(id(capsule), options)


def import_cuda(source, options=None):
    """A DeviceArray from an object with __cuda_array_interface__, which it keeps alive.

    options is an ImportOptions of Java that names the device; without it that is the one of CUDA or ROCm whose memory it is.
    """
    dictionary = dictionary_of(source, "__cuda_array_interface__")
    with java_errors():
        face = CudaArrayInterface.fromMap(java_map(dictionary))
        # The dictionary too: a mask may have no other owner.
        return _import_kept(face, (source, dictionary), (CUDA, ROCM), options)


def import_usm(source, options=None, strict=False):
    """A DeviceArray from an object with __sycl_usm_array_interface__, which it keeps alive.

    options is an ImportOptions of Java that names the device; without it that is the one of oneAPI whose memory it is. dpctl's memory
    objects say True where the specification's read-only flag is and mean writable: of bytes in one dimension it is not
    believed, unless strict.
    """
    dictionary = dictionary_of(source, "__sycl_usm_array_interface__")
    if "syclobj" in dictionary:  # Java follows a capsule's pointer: the dictionary keeps it until the import is done.
        dictionary["syclobj"] = sycl_capsule(dictionary["syclobj"])
    held = None
    if "data" not in dictionary:  # "… buffer of the object will be used if a data key is not present"
        buffer = buffer_of(source)
        if buffer is not None:
            address, size, read_only, held = buffer
            dictionary["data"] = (address, read_only)
    with java_errors():
        read = SyclUsmArrayInterface.fromMap if strict or held is not None else SyclUsmArrayInterface.fromMapOfDpctl
        face = read(java_map(dictionary))
        within = None if held is None else (address, size)
        return _import_kept(face, (source, held), (ONEAPI,), options, within)


def _import_array(source, validation, importing, importing_device):
    level = validation_of(validation)
    export, on_device = first_of(source, "__arrow_c_device_array__", "__arrow_c_array__")
    schema, array = export()
    with java_errors():
        structs = struct_in(array, b"arrow_device_array" if on_device else b"arrow_array"), struct_in(schema, b"arrow_schema")
        return (importing_device if on_device else importing)(*structs, level)


def _import_kept(face, source, device_types, options, within=None):
    owner = owner_of(source)
    try:
        options = ImportOptions.on(_device_of(face, device_types)) if options is None else options
        return face.importArray(owner, options if within is None else options.within(*within))
    except BaseException:
        owner.close()  # Java has done that, unless the bridge did not even call it.
        raise


def _device_of(face, device_types):
    """The device of one of the types whose memory a pointer is; the first one where none of them says so, which Java refuses."""
    for type_ in device_types:
        Devices.find(Device(type_, 0))  # Looks for devices, if nobody has yet.
    known = [device for type_ in device_types for device in Devices.list() if int(device.type()) == type_]
    if not known:
        raise ValueError("nobody here can tell whose memory the data is: options, by ImportOptions.on(device), must say it")
    for device in known:
        found = Devices.runtime(device).deviceOf(face.data()) if face.data() else None
        if found is not None and int(found.type()) in device_types:
            return found
    return known[0]
