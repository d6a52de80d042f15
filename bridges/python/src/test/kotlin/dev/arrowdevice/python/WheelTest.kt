package dev.arrowdevice.python

import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import java.nio.file.Files
import java.nio.file.Path
import java.util.zip.ZipFile
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.deleteRecursively
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** The Python package as users get it: a wheel, installed in a Python that has nothing of ours. */
class WheelTest :
    FunSpec({
        val folder = Files.createTempDirectory("wheel").toRealPath()
        afterSpec {
            @OptIn(kotlin.io.path.ExperimentalPathApi::class)
            folder.deleteRecursively()
        }

        val whyNot by lazy {
            PythonEnvironment.whyNot ?: "There is no flit_core, which builds the wheel.".takeIf {
                output("python3 -c 'import flit_core'").first != 0
            }
        }

        fun withWheel(
            name: String,
            test: (Path) -> Unit,
        ) = test(name).config(enabledOrReasonIf = { whyNot?.let(Enabled::disabled) ?: Enabled.enabled }) {
            if (folder.listDirectoryEntries("*.whl").isEmpty()) {
                val how = "--no-index --no-deps --no-build-isolation"
                output("pip wheel $how -w $folder ${PythonEnvironment.packageFolder}").let { (status, said) ->
                    check(status == 0) { said }
                }
            }
            test(folder.listDirectoryEntries("*.whl").single())
        }

        withWheel("a wheel has all modules and the licence, and is of the project's version") { wheel ->
            wheel.name shouldBe "arrow_device-${pythonVersion(projectVersion())}-py3-none-any.whl"
            ZipFile(wheel.toFile()).use { zip ->
                val files = zip.entries().toList().map { it.name }
                val modules = PythonEnvironment.packageFolder.resolve("arrow_device").listDirectoryEntries("*.py")
                files.filter { Path.of(it).extension == "py" } shouldContainExactlyInAnyOrder
                    modules.map { "arrow_device/${it.name}" }
                val information = files.filter { "dist-info" in it }.map { Path.of(it).name }
                information shouldContainAll listOf("METADATA", "LICENSE", "NOTICE")
                val licence = zip.getEntry(files.single { it.endsWith("/LICENSE") })
                zip.getInputStream(licence).reader().readText() shouldBe
                    PythonEnvironment.packageFolder.resolve("../../../../../LICENSE").readText()
            }
        }

        withWheel("a wheel in a fresh environment exchanges arrays, and says before that it needs a JVM") { wheel ->
            val installed = folder.resolve("environment")
            val script = PythonEnvironment.tests.resolve("installed.py")
            // Python's other packages come from the environment of the tests; arrow_device of the sources does not.
            val (status, said) =
                output(
                    """
                    set -e
                    packages=${'$'}(python3 -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
                    unset PYTHONHOME PYTHONPATH
                    python3 -m venv $installed
                    $installed/bin/pip install --quiet --disable-pip-version-check --no-index --no-deps $wheel
                    PYTHONPATH=${'$'}packages $installed/bin/python $script "${System.getProperty(
                        "java.class.path",
                    )}" $installed
                    """.trimIndent(),
                )
            said.trim() shouldBe pythonVersion(projectVersion())
            status shouldBe 0
        }
    })

/** What a command of the shell in the environment ends with and prints. */
private fun output(command: String): Pair<Int, String> {
    val process = PythonEnvironment.process(listOf("bash", "-c", command)).redirectErrorStream(true).start()
    val said = process.inputReader().readText()
    return process.waitFor() to said
}

private fun projectVersion(): String {
    val pom = PythonEnvironment.packageFolder.resolve("../../../../../pom.xml").toFile()
    return DocumentBuilderFactory
        .newInstance()
        .newDocumentBuilder()
        .parse(pom)
        .getElementsByTagName("revision")
        .item(0)
        .textContent
}

/** As PEP 440 writes a version of Maven's. */
private fun pythonVersion(maven: String): String = maven.replace("-SNAPSHOT", ".dev0")
