"""The Python side of the sample python: what Kotlin calls (PythonExchange.kt)."""

import gc
import sys

import arrow_device
import numpy as np
import polars as pl
import pyarrow as pa

_MEASURED = pa.schema([("station", pa.int32()), ("millimetres", pa.float64())])
_lying_at = []


def python():
    return f"CPython {sys.version.split()[0]}, pyarrow {pa.__version__}, polars {pl.__version__}, NumPy {np.__version__}"


def table_and_frame(java_batch):
    """Kotlin's batch as a table of pyarrow and a data frame of polars: where they lie, and what polars computes."""
    with arrow_device.RecordBatch(java_batch) as batch:
        table, frame = pa.table(batch), pl.DataFrame(batch)
    warmest = frame.group_by("city").agg(pl.col("celsius").max().alias("warmest")).sort("city")
    return {
        "pyarrow": _address(table.column("celsius").chunk(0)),
        "polars": _address(frame["celsius"].to_arrow()),
        "schema": ", ".join(f"{field.name}: {field.type}" for field in table.schema),
        "warmest": str(warmest),
    }


def measurements(batches, rows):
    """A reader whose batches come into being when Kotlin asks for them."""

    def measure():
        for first in range(0, batches * rows, rows):
            station = pa.array(np.arange(first, first + rows, dtype=np.int32))
            millimetres = pa.array(np.arange(first, first + rows) % 50 / 10)
            _lying_at.append(_address(millimetres))
            yield pa.record_batch([station, millimetres], schema=_MEASURED)

    return arrow_device.import_stream(pa.RecordBatchReader.from_batches(_MEASURED, measure()))


def lying_at():
    """Where the millimetres of all batches so far lie, or lay."""
    return list(_lying_at)


def array_of_numpy():
    """An array of NumPy, which nobody in Python keeps, and where it lies."""
    array = np.linspace(0.0, 1.0, 5)
    return arrow_device.import_tensor(array), array.ctypes.data


def to_numpy(java_array):
    """Where NumPy sees Kotlin's array, and its sum."""
    with arrow_device.Array(java_array) as shown:
        array = np.from_dlpack(shown)
    return array.ctypes.data, float(array.sum())


def usm():
    """Why there is no memory of SYCL; None if there is."""
    try:
        import dpctl

        dpctl.SyclQueue()
    except Exception as missing:
        return str(missing)
    return None


class _Doubles:
    """Bytes of dpctl as numbers."""

    def __init__(self, memory):
        self.__sycl_usm_array_interface__ = {
            **memory.__sycl_usm_array_interface__,
            "shape": (memory.nbytes // 8,),
            "typestr": "<f8",
        }
        self._memory = memory


def array_of_dpctl():
    """Memory of dpctl's on the device, which nobody in Python keeps, and where it lies."""
    import dpctl.memory

    memory = dpctl.memory.MemoryUSMDevice(5 * 8)
    memory.copy_from_host(np.linspace(0.0, 4.0, 5).view(np.uint8))
    return arrow_device.import_usm(_Doubles(memory)), memory._pointer


def to_dpctl(java_array):
    """Where dpctl sees Kotlin's array on the device, and its sum, by way of the host."""
    import dpctl.memory

    with arrow_device.Array(java_array) as shown:
        memory = dpctl.memory.as_usm_memory(shown)
        return memory._pointer, float(memory.copy_to_host().view(np.float64).sum())


def end():
    """Lets go of what hangs in cycles."""
    gc.collect()


def _address(array):
    return array.buffers()[1].address
