"""Exchanges an array both ways with the arrow_device that is installed in this Python: class path, the folder it must lie in."""

import importlib.metadata
import os
import sys

try:
    import arrow_device
except ImportError as error:
    assert "needs a JVM in this process" in str(error), error
else:
    raise AssertionError("there is no JVM yet")

import jpype

jpype.startJVM("--enable-native-access=ALL-UNNAMED", classpath=sys.argv[1].split(os.pathsep))

import arrow_device  # noqa: E402
import pyarrow as pa  # noqa: E402

assert arrow_device.__file__.startswith(sys.argv[2] + os.sep), arrow_device.__file__
for name in arrow_device.__all__:
    assert getattr(arrow_device, name).__doc__, name
with arrow_device.import_array(pa.array([1, None, 3])) as java_array:
    assert pa.array(arrow_device.Array(java_array)).to_pylist() == [1, None, 3]
assert int(arrow_device.java_class("dev.arrowdevice.ArrowCounters").now().unreleased()) == 0
print(importlib.metadata.version("arrow-device"))
