"""The JVM in this process: its classes by their names, and its exceptions as Python's."""

import atexit
import contextlib

try:
    import jpype.config

    hosted_by_python = jpype.isJVMStarted()
except ImportError:
    hosted_by_python = False

if hosted_by_python:
    _find = jpype.JClass
    # When Python ends it frees the objects that are left. Among them are arrays of Java, whose release needs a running JVM. Only
    # JPype's thread, which would call Python, must have ended by then.
    jpype.config.onexit = False
    atexit.register(_find("org.jpype.ref.JPypeReferenceQueue").getInstance().stop)
else:
    try:
        from jep import findClass as _find
    except ImportError:
        raise ImportError(
            "arrow_device needs a JVM in this process: start one with jpype.startJVM before this import, "
            "or run this in a JVM, in a SharedInterpreter of Jep"
        ) from None


def java_class(name):
    """The Java class of a name, whoever is the host of the process."""
    return _find(name)


def _required(name):
    try:
        return java_class(name)
    except Exception as missing:
        raise ImportError(
            f"the JVM has no class {name}: arrow-device-python and arrow-device-core must be on its class path"
        ) from missing


ArrowExport = _required("dev.arrowdevice.ArrowExport")
ArrowImport = _required("dev.arrowdevice.ArrowImport")
CStruct = _required("dev.arrowdevice.CStruct")
Device = _required("dev.arrowdevice.Device")
DeviceArrayStream = _required("dev.arrowdevice.DeviceArrayStream")
Devices = _required("dev.arrowdevice.spi.Devices")
Field = _required("dev.arrowdevice.Field")
CudaArrayInterface = _required("dev.arrowdevice.interop.CudaArrayInterface")
DlpackTensor = _required("dev.arrowdevice.interop.DlpackTensor")
ExportOptions = _required("dev.arrowdevice.interop.ExportOptions")
ImportOptions = _required("dev.arrowdevice.interop.ImportOptions")
SyclObject = _required("dev.arrowdevice.interop.SyclObject")
SyclUsmArrayInterface = _required("dev.arrowdevice.interop.SyclUsmArrayInterface")
Validation = _required("dev.arrowdevice.Validation")
PythonInterpreter = _required("dev.arrowdevice.python.PythonInterpreter")
ArrayList = _required("java.util.ArrayList")
BigInteger = _required("java.math.BigInteger")
HashMap = _required("java.util.HashMap")
Long = _required("java.lang.Long")

CPU, CUDA, ROCM, ONEAPI = 1, 2, 10, 14


@contextlib.contextmanager
def java_errors(instead_of_value_error=ValueError):
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
