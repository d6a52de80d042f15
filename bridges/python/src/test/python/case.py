"""What the tests have in common."""

import gc
import unittest

import pyarrow as pa

import arrow_device

java = arrow_device.java_class
ArrowCounters = java("dev.arrowdevice.ArrowCounters")
ReleaseBalance = java("dev.arrowdevice.testkit.ReleaseBalance")
Device = java("dev.arrowdevice.Device")


class ExchangeTest(unittest.TestCase):
    """Ends with a balance: what Java counts and what pyarrow has allocated is as it was before.

    A test's locals die when it returns; what else it makes it registers with addCleanup.
    """

    def run(self, result=None):
        gc.collect()
        self._allocated = pa.total_allocated_bytes()
        self._balance = ReleaseBalance.start()
        return super().run(result)

    def doCleanups(self):
        done = super().doCleanups()
        if self._outcome.success:
            with self._outcome.testPartExecutor(self):
                self._require_balance()
        return done

    def _require_balance(self):
        gc.collect()
        out = [str(sentence) for sentence in self._balance.unbalanced()]
        allocated = pa.total_allocated_bytes() - self._allocated
        if allocated:
            out.append(f"{allocated} bytes of pyarrow")
        if out:
            raise AssertionError("not released: " + "; ".join(out))

    def owned(self, closeable):
        """Closes what Java must give back at the end of the test."""
        self.addCleanup(closeable.close)
        return closeable

    def theirs(self, array):
        """A DeviceArray of Java over memory of Python's."""
        return self.owned(arrow_device.import_array(array))

    def ours(self, array):
        """A DeviceArray of Java in memory of Java's, of the same values."""
        imported = arrow_device.import_array(array)
        try:
            return self.owned(imported.copyTo(Device.CPU))
        finally:
            imported.close()

    def our_batch(self, batch):
        """A RecordBatch of Java in memory of Java's, of the same values."""
        imported = arrow_device.import_batch(batch)
        try:
            return self.owned(imported.copyTo(Device.CPU))
        finally:
            imported.close()


def unreleased():
    """Exports that are not released, and imports that are not closed."""
    gc.collect()
    counters = ArrowCounters.now()
    return int(counters.unreleasedExports()), int(counters.unreleasedImports())


def address(java_array, buffer=1):
    """Where a buffer of a DeviceArray begins."""
    return int(java_array.getData().buffer(buffer).getAddress())


def values(java_array):
    """What is in a DeviceArray of any device, by way of a copy on the CPU."""
    copy = java_array.copyTo(Device.CPU)
    try:
        return pa.array(arrow_device.Array(copy)).to_pylist()
    finally:
        copy.close()
