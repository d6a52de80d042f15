package dev.arrowdevice.python

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain

class PythonInterpreterTest :
    FunSpec({
        test("the addresses of Python's functions that are missing are named, NULL among them") {
            val message =
                shouldThrow<IllegalArgumentException> {
                    PythonInterpreter.of(mapOf("Py_IsInitialized" to 1L, "Py_DecRef" to 0L))
                }.message
            message shouldContain "PyGILState_Ensure"
            message shouldContain "Py_DecRef"
            message shouldNotContain "Py_IsInitialized"
        }
    })
