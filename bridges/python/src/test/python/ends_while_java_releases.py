"""Ends while threads of Java release arrays of Python: class path."""

import atexit
import ctypes
import os
import sys
import threading

import jpype

jpype.startJVM("--enable-native-access=ALL-UNNAMED", classpath=sys.argv[1].split(os.pathsep))

begun, ending, released = threading.Event(), threading.Event(), []


@atexit.register
def last():
    """Runs after the hook of arrow_device, which is registered later."""
    if not released:
        print("what was under way was not waited for")
    allocated = pa.total_allocated_bytes()
    other_thread.close(kept)
    if pa.total_allocated_bytes() != allocated:
        print("released after the end")


import arrow_device  # noqa: E402
import pyarrow as pa  # noqa: E402

atexit.register(ending.set)  # Runs before it.
other_thread = jpype.JClass("dev.arrowdevice.python.OtherThread")
kept = arrow_device.import_array(pa.array(range(100)))


class Slow:
    """An array whose release is still under way when Python ends."""

    def __arrow_c_array__(self):
        schema, array = pa.array([1, 2, 3]).__arrow_c_array__()
        member = ctypes.c_void_p.from_address(arrow_device._capsules.pointer_in(array, b"arrow_array") + 64)
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        release = kind(member.value)

        @kind
        def slowly(struct):
            begun.set()
            ending.wait()
            sum(range(5_000_000))  # The hook after this one has long begun when this ends.
            release(struct)
            released.append(True)

        self.callback = slowly
        member.value = ctypes.cast(slowly, ctypes.c_void_p).value
        return schema, array


slow = Slow()
arrays = jpype.java.util.ArrayList([arrow_device.import_array(slow)])
for number in range(3000):
    arrays.add(arrow_device.import_array(pa.array([number, 2, 3])))
other_thread.closeMeanwhile(arrays)
begun.wait()
