"""Memory of dpctl, and objects with __sycl_usm_array_interface__ over it."""

import ctypes
import unittest

import numpy as np

import arrow_device
from case import Device, ExchangeTest, java

try:
    import dpctl
    import dpctl.memory
    import dpctl.program

    QUEUE = dpctl.SyclQueue("cpu")
    WHY_NOT = ""
    KINDS = {
        "device": dpctl.memory.MemoryUSMDevice,
        "shared": dpctl.memory.MemoryUSMShared,
        "host": dpctl.memory.MemoryUSMHost,
    }
except Exception as error:  # Whatever keeps SYCL from being used: a library or a driver that is missing.
    WHY_NOT = f"dpctl can't be used: {error}"
    KINDS = {}

needs_dpctl = unittest.skipIf(WHY_NOT, WHY_NOT)

ABSENT = object()


class Usm:
    """An object with the interface, as a library has it. May be changed to say what is wrong."""

    def __init__(self, values, kind="device", queue=None, pending=None, **changes):
        values = np.asarray(values)
        queue = QUEUE if queue is None else queue
        self.memory = KINDS[kind](max(1, values.nbytes), queue=queue)
        if values.nbytes:
            self.memory.copy_from_host(values.tobytes())
        self.address = self.memory._pointer
        self._pending = pending
        self._face = {
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (self.address, False),
            "strides": None,
            "offset": 0,
            "version": 1,
            "syclobj": queue,
        }
        self._face.update(changes)

    @property
    def __sycl_usm_array_interface__(self):
        if self._pending is not None:
            self._pending.wait()  # "The exporter waits": the interface has no event.
        return {key: value for key, value in self._face.items() if value is not ABSENT}


class Hold:
    """A kernel that keeps a queue busy until it is let go, works on for a while, and then writes 7, 8, 9 and so on.

    Who does not wait for it finds what was there before, however late it looks after resume().
    """

    _source = """kernel void hold(global volatile char *resumed, global int *out, int count) {
        while (*resumed == 0) { }
        uint x = 1;
        for (int i = 0; i < 200000000; i++) x = x * 1664525u + 1013904223u + (uint) *resumed;
        for (int i = 0; i < count; i++) out[i] = i + 7 + (x == 4711u);
    }"""

    def __init__(self, queue, out, count):
        program = dpctl.program.create_program_from_source(queue, self._source)
        self._flag = dpctl.memory.MemoryUSMHost(64, queue=queue)
        self._flag.copy_from_host(bytearray(64))
        arguments = [self._flag, out, ctypes.c_int(count)]
        self.event = queue.submit_async(program.get_sycl_kernel("hold"), arguments, [1])

    def is_pending(self):
        return self.event.execution_status != dpctl.event_status_type.complete

    def resume(self):
        memoryview(self._flag)[0] = 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.resume()
        self.event.wait()


class Watched:
    """Counts how often objects of another class come to their end."""

    def __init__(self):
        self.ended = 0

    def usm(self, *args, **kwargs):
        usm = Usm(*args, **kwargs)
        watched = self

        class Seen(Usm):
            def __del__(self):
                watched.ended += 1

        usm.__class__ = Seen
        return usm


ONEAPI = 14


def on():
    """What an import from the first device of oneAPI says."""
    return arrow_device._java.ImportOptions.on(Device(ONEAPI, 0))


def runtime():
    """Java's runtime of that device."""
    return java("dev.arrowdevice.spi.Devices").runtime(Device(ONEAPI, 0))


class UsmTest(ExchangeTest):
    def usm(self, source, options=None, **kwargs):
        """A DeviceArray of Java over memory of dpctl's."""
        return self.owned(arrow_device.import_usm(source, options, **kwargs))

    def on_device(self, theirs, kind="device"):
        """A DeviceArray of Java in a kind of USM, of the same values."""
        kinds = java("dev.arrowdevice.spi.MemoryKind")
        memory = {"device": kinds.DEVICE, "shared": kinds.MANAGED, "host": kinds.HOST}[kind]
        device = java("dev.arrowdevice.oneapi.SyclRuntime").open(0, memory)
        self.addCleanup(device.close)
        imported = arrow_device.import_array(theirs)
        try:
            return self.owned(imported.copyTo(device))
        finally:
            imported.close()
