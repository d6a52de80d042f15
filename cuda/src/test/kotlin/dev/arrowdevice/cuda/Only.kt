package dev.arrowdevice.cuda

import io.kotest.core.test.Enabled
import io.kotest.core.test.TestCase

/** For tests that make the driver fail, which a real one can't. */
val onlySimulated: (TestCase) -> Enabled = {
    if (simulated == null) Enabled.disabled("a real driver does not fail on demand") else Enabled.enabled
}

/** For tests that launch kernels. */
val onlyReal: (TestCase) -> Enabled = {
    if (simulated == null) Enabled.enabled else Enabled.disabled("the simulated driver runs no kernels")
}
