package dev.arrowdevice.surface

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.exists
import kotlin.io.path.readLines
import kotlin.io.path.writeText

private const val ALL = "maven gcc libc6-dev python3 python3-venv"

/** What `./verify` and `./samples/run` do on a machine that has nothing yet: see `.mvn/set-up`. */
class SetUpTest :
    FunSpec({
        test("root installs all that is missing, with the newest JDK on offer, after saying so") {
            FreshMachine(jdksOnOffer = listOf(17, 98, 99)).use { machine ->
                machine.setUp() shouldBe 0
                machine.installed() shouldContainExactly listOf("openjdk-99-jdk-headless $ALL")
                machine.said shouldContain "Missing: a JDK of version 99 or newer, Maven, gcc"
            }
        }

        test("a second time nothing is missing, and nothing is said") {
            FreshMachine(jdksOnOffer = listOf(99)).use { machine ->
                machine.setUp() shouldBe 0
                machine.setUp() shouldBe 0
                machine.said shouldBe ""
                machine.installed().size shouldBe 1
            }
        }

        test("where the package sources have older JDKs only, the others are installed, and it says what to get") {
            FreshMachine(jdksOnOffer = listOf(17, 21)).use { machine ->
                machine.setUp() shouldBe 1
                machine.installed() shouldContainExactly listOf(ALL)
                machine.said shouldContain "have no JDK of version 99 or newer. Get one"
                machine.said shouldContain "https://adoptium.net"
                machine.said shouldNotContain "Run this"
                machine.setUp() shouldBe 1
                machine.said shouldStartWith "Missing: a JDK of version 99 or newer.\nThe package sources"
            }
        }

        test("a user without sudo gets the one line to run, and nothing is installed") {
            FreshMachine(jdksOnOffer = listOf(99), user = 1000).use { machine ->
                machine.setUp() shouldBe 1
                machine.installed().shouldBeEmpty()
                machine.said shouldContain
                    "Run this as root: apt-get update && " +
                    "apt-get install -y --no-install-recommends openjdk-99-jdk-headless $ALL\n"
            }
        }

        test("if the installation fails, the same line says what was tried") {
            FreshMachine(jdksOnOffer = listOf(99), aptFails = true).use { machine ->
                machine.setUp() shouldBe 1
                machine.said shouldContain "Run this as root: apt-get update"
            }
        }

        test("a system with another package manager gets its line") {
            FreshMachine(jdksOnOffer = emptyList(), packageManager = "dnf").use { machine ->
                machine.setUp() shouldBe 1
                machine.said shouldContain
                    "Run this as root: dnf install -y java-latest-openjdk-devel maven gcc glibc-devel python3\n"
            }
        }
    })

/** The commands of a machine that has no compiler, no Maven and no Python, and a package manager that keeps a record. */
private class FreshMachine(
    jdksOnOffer: List<Int>,
    user: Int = 0,
    private val aptFails: Boolean = false,
    packageManager: String = "apt-get",
) : AutoCloseable {
    private val folder = Files.createTempDirectory("fresh-machine")
    private val commands = folder.resolve("bin").createDirectory()
    private val record = folder.resolve("record")

    /** What the last run printed. */
    var said = ""
        private set

    init {
        for (tool in listOf("bash", "chmod", "dirname", "env", "readlink", "sed", "sort")) {
            commands.resolve(tool).createSymbolicLinkPointingTo(find(tool))
        }
        command("id", "echo $user")
        command("apt-cache", "printf 'openjdk-%s-jdk-headless\\n' ${jdksOnOffer.joinToString(" ")}")
        command(packageManager, if (packageManager == "apt-get") aptGet() else "exit 1")
    }

    /** Runs it, and returns its exit status. No JDK of this machine is new enough, wherever it is. */
    fun setUp(): Int {
        val script = ". ${root.resolve(".mvn/set-up")}; jdk_from=99; set_up jdk maven gcc python"
        val builder = ProcessBuilder("${find("bash")}", "-euo", "pipefail", "-c", script)
        builder.redirectErrorStream(true)
        builder.environment().clear()
        builder.environment() += mapOf("PATH" to "$commands", "HOME" to "$folder")
        val process = builder.start()
        said = process.inputStream.bufferedReader().readText()
        check(process.waitFor(1, TimeUnit.MINUTES))
        return process.exitValue()
    }

    /** The packages of each installation. */
    fun installed(): List<String> {
        val install = "install -qq --no-install-recommends "
        val lines = if (record.exists()) record.readLines() else emptyList()
        return lines.filter { it.startsWith(install) }.map { it.removePrefix(install) }
    }

    private fun aptGet(): String =
        """
        echo "$*" >> $record
        [ "$1" = install ] || exit 0
        ${if (aptFails) "exit 100" else ""}
        make() { printf '#!%s\necho javac 99.0\n' "${'$'}BASH" > "$commands/$1"; chmod +x "$commands/$1"; }
        for package; do
            case "${'$'}package" in
                openjdk-*) make java; make javac ;;
                maven) make mvn ;;
                gcc | python3) make "${'$'}package" ;;
            esac
        done
        """.trimIndent()

    private fun command(
        name: String,
        script: String,
    ) {
        val file = commands.resolve(name)
        file.writeText("#!${find("bash")}\n$script\n")
        check(file.toFile().setExecutable(true))
    }

    override fun close() {
        folder.toFile().deleteRecursively()
    }
}

private fun find(command: String): Path =
    System
        .getenv("PATH")
        .split(':')
        .map { Path.of(it, command) }
        .first { it.exists() }
