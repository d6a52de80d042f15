"""Runs the tests of this folder, in a JVM that hosts Python or in a Python that hosts a JVM, and reports each.

The report is a file of lines, of a test's name, its state and a text in the encoding of URLs: first all tests, then what
becomes of each, written when it happens, so that an early end of the process is seen at the test that it happened in.
"""

import os
import pathlib
import sys
import unittest
import urllib.parse


class _Report(unittest.TestResult):
    def __init__(self, file):
        super().__init__()
        self._file = file

    def say(self, test, state, text=""):
        self._file.write(f"{test.id()}\t{state}\t{urllib.parse.quote(text)}\n")
        self._file.flush()

    def startTest(self, test):
        super().startTest(test)
        self.say(test, "STARTED")

    def addSuccess(self, test):
        super().addSuccess(test)
        self.say(test, "PASSED")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say(test, "SKIPPED", reason)

    def addError(self, test, err):
        super().addError(test, err)
        self.say(test, "FAILED", self.errors[-1][1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say(test, "FAILED", self.failures[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            kept = self.failures if issubclass(err[0], test.failureException) else self.errors
            text = kept[-1][1]
            self.say(test, "FAILED", f"{subtest}: {text}")


def _each(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _each(test)
        else:
            yield test


def run(report, pattern="test_*.py"):
    """Runs the tests of the files that match, in this process, which has both languages already."""
    folder = pathlib.Path(__file__).parent
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    suite = unittest.defaultTestLoader.discover(str(folder), pattern)
    with open(report, "w", encoding="utf-8") as file:
        result = _Report(file)
        for test in _each(suite):
            result.say(test, "MISSING")
        suite.run(result)


def main():
    """Starts the JVM: class path, report, pattern."""
    import jpype

    jpype.startJVM("--enable-native-access=ALL-UNNAMED", "-Xmx512m", classpath=sys.argv[1].split(os.pathsep))
    run(*sys.argv[2:])


if __name__ == "__main__":
    main()
