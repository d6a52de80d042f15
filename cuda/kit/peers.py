"""Tests the exchange with Python's libraries on this machine's GPU: class path, properties of the JVM."""

import os
import pathlib
import sys
import unittest

import jpype

jpype.startJVM(
    "--enable-native-access=ALL-UNNAMED", "-Xmx512m", *sys.argv[2:], classpath=sys.argv[1].split(os.pathsep)
)
tests = unittest.defaultTestLoader.discover(str(pathlib.Path(__file__).parent), "test_gpu.py")
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(tests)
sys.stdout.flush()
sys.exit(not result.wasSuccessful())
