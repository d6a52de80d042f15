package dev.arrowdevice.cuda

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe

/** The example of `docs/gpu.md`: a kernel that JCuda launches works on the buffers of an array. */
class CudaKernelTest :
    FunSpec({
        test("a kernel of JCuda doubles the values of an array").config(enabledOrReasonIf = onlyReal) {
            withGpu { doubledByKernel(1000) shouldBe List(1000) { 2f * it } }
        }
    })
