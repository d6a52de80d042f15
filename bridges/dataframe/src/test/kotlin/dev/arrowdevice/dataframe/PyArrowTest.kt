package dev.arrowdevice.dataframe

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.shouldBe
import java.nio.file.Path

private val folder = Path.of(System.getProperty("basedir", ".")).toAbsolutePath()

/** A command with Python and its packages, which `bridges/python/environment` has installed. */
private fun withPython(vararg command: String): Pair<Int, String> {
    val environment = folder.resolve("../python/environment").normalize().toString()
    val builder = ProcessBuilder(environment, "--no-install", *command).redirectErrorStream(true)
    builder.environment()["JAVA_HOME"] = System.getProperty("java.home")
    val process = builder.start()
    val said = process.inputReader().readText().trim()
    return process.waitFor() to said
}

/** Batches that pyarrow makes are frames, and it reads the batches of frames. */
class PyArrowTest :
    FunSpec({
        val obstacle by lazy { withPython("true").let { (code, said) -> if (code == 0) null else "$said." } }

        test("batches of pyarrow pass through frames").config(
            enabledOrReasonIf = { obstacle?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            val script = folder.resolve("src/test/python/frames.py").toString()
            withPython("python3", script, System.getProperty("java.class.path")) shouldBe (0 to "")
        }
    })
