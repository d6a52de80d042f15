package dev.arrowdevice.testkit

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files

class CCompilerTest :
    FunSpec({
        test("without a compiler the message says what to install") {
            val failure = shouldThrow<CCompilerException> { CCompiler.find(mapOf("CC" to "no-such-compiler")) }
            failure.message shouldBe
                "A C compiler is needed and none was found under [no-such-compiler]: install gcc or clang " +
                "(Debian, Ubuntu: apt-get install gcc libc6-dev), or name one in the environment variable CC."
        }

        test("a source that does not compile fails with the compiler's output") {
            val failure =
                shouldThrow<CCompilerException> {
                    CCompiler.find(emptyMap()).sharedLibrary("broken", mapOf("broken.c" to "int f(void) { return x; }"))
                }
            failure.message shouldContain "broken.c"
            failure.message shouldContain "undeclared"
        }

        test("the same source is compiled once") {
            val sources = mapOf("once.c" to "int once(void) { return ${System.nanoTime()}; }")
            val first = CCompiler.find(emptyMap()).sharedLibrary("once", sources)
            val time = Files.getLastModifiedTime(first)
            CCompiler.find(emptyMap()).sharedLibrary("once", sources) shouldBe first
            Files.getLastModifiedTime(first) shouldBe time
            Files.delete(first)
            Files.delete(first.parent)
        }
    })
