"""Ends while libraries of Python hold arrays of Java, and Java an array of Python: class path."""

import os
import sys

import jpype

jpype.startJVM("--enable-native-access=ALL-UNNAMED", classpath=sys.argv[1].split(os.pathsep))

import arrow_device  # noqa: E402
import numpy as np  # noqa: E402
import pyarrow as pa  # noqa: E402

theirs = arrow_device.import_array(pa.array([1, 2, 3]))
ours = theirs.copyTo(arrow_device._java.Device.CPU)
shown = arrow_device.Array(ours)
# What modules hold dies last.
sys.modules["held"] = [pa.array(shown), np.from_dlpack(shown), shown.__arrow_c_array__(), shown.__dlpack__(max_version=(1, 0))]
