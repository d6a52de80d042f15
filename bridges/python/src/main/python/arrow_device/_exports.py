"""Exports Java objects as Python objects."""

from ._arguments import pair_of, require_known, stream_handle
from ._capsules import interpreter, new_capsule
from ._dictionaries import cuda_dictionary, sycl_dictionary
from ._java import (
    ArrayList,
    ArrowExport,
    CPU,
    CStruct,
    CudaArrayInterface,
    Device,
    DeviceArrayStream,
    Devices,
    DlpackTensor,
    ExportOptions,
    Field,
    ONEAPI,
    SyclObject,
    SyclUsmArrayInterface,
    java_errors,
)
from ._schemas import require_compatible


class _Owner:
    """One owner of a Java object."""

    def __init__(self, java):
        self._java = java

    def close(self):
        """Releases the memory. What consumers have imported stays valid. May be called again."""
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
        with java_errors():
            if hasattr(self._java, "toStruct"):
                field = self._java.toStruct()
            elif hasattr(self._java, "nullable"):
                field = self._java
            else:
                field = Field.nullable("", self._java)
            struct = CStruct.schema()
            capsule = new_capsule(struct)
            ArrowExport.exportField(field, struct)
            return capsule


class _Exportable(_Owner):
    """What arrays and batches have in common."""

    _export = _export_device = None

    def __init__(self, java):
        with java_errors():
            super().__init__(java.share())

    def __arrow_c_array__(self, requested_schema=None):
        with java_errors():
            return self._exported(CStruct.array(), self._export, requested_schema)

    def __arrow_c_device_array__(self, requested_schema=None, **kwargs):
        require_known(kwargs)
        with java_errors():
            return self._exported(CStruct.deviceArray(), self._export_device, requested_schema)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._stream().__arrow_c_stream__(requested_schema)

    def __arrow_c_device_stream__(self, requested_schema=None, **kwargs):
        return self._stream().__arrow_c_device_stream__(requested_schema, **kwargs)

    def _stream(self):
        with java_errors():
            share, arrays = self._array(), ArrayList()
            arrays.add(share)
            return Stream(DeviceArrayStream.ofArrays(self._field(), share.getDevice().type(), arrays.iterator(), share))

    def _exported(self, struct, export, requested_schema):
        array, schema_struct = new_capsule(struct), CStruct.schema()
        schema = new_capsule(schema_struct)
        require_compatible(self._field(), requested_schema)
        share = self._open().share()
        try:
            export(share, struct, schema_struct)
        finally:
            share.close()  # Does nothing once it was moved.
        return schema, array


class RecordBatch(_Exportable):
    """A RecordBatch of Java with __arrow_c_array__, __arrow_c_stream__ and their device variants."""

    _export = ArrowExport.exportBatch
    _export_device = ArrowExport.exportDeviceBatch

    def _field(self):
        return self._open().getSchema().toStruct()

    def _array(self):
        return self._open().share().intoStruct()


class Array(_Exportable):
    """A DeviceArray, or a column of a batch, with all attributes: those of Arrow, of DLPack and of its device.

    writable lets consumers write, which is for arrays that nobody else reads; options is an ExportOptions of Java for the
    array interfaces, such as the version, stream or mask of the CUDA Array Interface.
    """

    _export = ArrowExport.exportArray
    _export_device = ArrowExport.exportDeviceArray

    def __init__(self, java, writable=False, options=None):
        super().__init__(java)
        self._options = ExportOptions.defaults() if options is None else options
        if writable:
            self._options = self._options.writable()

    def _field(self):
        return Field.nullable("", self._open().getType())

    def _array(self):
        return self._open().share()

    def __dlpack_device__(self):
        device = self._open().getDevice()
        return int(device.type()), max(0, int(device.id()))

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        handle = stream_handle(stream)
        java, device = self._open(), self.__dlpack_device__()
        target = device if dl_device is None else pair_of("dl_device", dl_device)
        versioned = max_version is not None and pair_of("max_version", max_version) >= (1, 0)
        if target not in (device, (CPU, 0)):
            raise BufferError(f"data on DLPack device {device} goes to the CPU, (1, 0), or stays there, not to {target}")
        copying = copy or target != device
        if copying and copy is False:
            raise BufferError(f"data on DLPack device {device} does not get to {target} without a copy: leave copy out")
        with java_errors(BufferError):
            options = self._options.writable().copied() if copying else self._options
            share = java.copyTo(Device.CPU if target != device else java.getDevice()) if copying else java.share()
            try:
                options = options.stream(handle if target == device else None)
                export = DlpackTensor.exportVersioned if versioned else DlpackTensor.exportLegacy
                return new_capsule(export(share, options))
            finally:
                share.close()

    @property
    def __cuda_array_interface__(self):
        with java_errors(AttributeError):
            return cuda_dictionary(CudaArrayInterface.of(self._open(AttributeError), self._options))

    @property
    def __sycl_usm_array_interface__(self):
        with java_errors(AttributeError):
            java = self._open(AttributeError)
            if int(java.getDevice().type()) != ONEAPI:
                raise AttributeError(f"the array lies on {java.getDevice()}, not in USM of SYCL")
            queue = int(Devices.runtime(java.getDevice()).getDefaultQueue().getHandle())
            face = SyclUsmArrayInterface.of(java, SyclObject.queue(queue), self._options)
            return sycl_dictionary(SyclUsmArrayInterface.of(java, SyclObject.queue(queue), self._options), queue)


class Stream(_Owner):
    """A DeviceArrayStream, which is moved, with __arrow_c_stream__ and __arrow_c_device_stream__.

    A stream can be consumed once.
    """

    def __init__(self, java):
        with java_errors():
            super().__init__(interpreter.unlocked(java))

    def __arrow_c_stream__(self, requested_schema=None):
        with java_errors():
            return self._exported(CStruct.arrayStream(), ArrowExport.exportStream, requested_schema)

    def __arrow_c_device_stream__(self, requested_schema=None, **kwargs):
        require_known(kwargs)
        with java_errors():
            return self._exported(CStruct.deviceArrayStream(), ArrowExport.exportDeviceStream, requested_schema)

    def _exported(self, struct, export, requested_schema):
        capsule, java = new_capsule(struct), self._open()
        require_compatible(java.getField(), requested_schema)
        export(java, struct)
        return capsule


def to_python(java):
    """The object above for a RecordBatch, a DeviceArray or column, a DeviceArrayStream, a Schema, Field or ArrowType."""
    for method, wrapper in (("getRowCount", RecordBatch), ("nextArray", Stream), ("share", Array)):
        if hasattr(java, method):
            return wrapper(java)
    return Schema(java)
