package dev.arrowdevice.access

import dev.arrowdevice.DeviceArray
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.File
import kotlin.reflect.KClass

/** Programs in JVMs that deny native access, or do not enable it from the start. */
class NativeAccessTest :
    FunSpec({
        // The flag that denies it is of Java 24.
        val canDeny = System.getProperty("java.specification.version").toInt() >= 24

        val classPath = listOf("-cp", System.getProperty("java.class.path"))

        val modulePath =
            listOf(DeviceArray::class, Unit::class).joinToString(File.pathSeparator) { it.location() }.let {
                // kotlin-reflect of the tests does not find classes of a standard library that is a module.
                val others = classPath.last().split(File.pathSeparator).filter { "kotlin-reflect" !in it }
                listOf(
                    "-p",
                    it,
                    "--add-modules",
                    "dev.arrowdevice.core",
                    "-cp",
                    others.joinToString(File.pathSeparator),
                )
            }

        val deny = "--illegal-native-access=deny"

        mapOf(
            "class path" to
                (classPath to "the class path (ALL-UNNAMED): start it with --enable-native-access=ALL-UNNAMED"),
            "module path" to
                (
                    modulePath to
                        "the module dev.arrowdevice.core: start it with --enable-native-access=dev.arrowdevice.core"
                ),
        ).forEach { (name, given) ->
            val (path, sentence) = given

            test("$name: without native access, arrays are built, read and streamed, and nothing else works")
                .config(enabled = canDeny) {
                    val lines = outputOf(path + deny, WithoutAccess::class)
                    val refusals = lines.filter { "refused" in it }
                    lines - refusals.toSet() shouldContainExactly listOf("works", "balanced")
                    refusals.size shouldBe 2 * WithoutAccess.crossings.size
                    refusals.forEach {
                        it shouldContain sentence
                        it shouldContain "Enable-Native-Access: ALL-UNNAMED"
                    }
                    refusals.take(refusals.size / 2) shouldContainExactly refusals.drop(refusals.size / 2)
                }

            test("$name: what was built without native access is exported once it is enabled").config(
                enabled = canDeny,
            ) {
                outputOf(path + "--illegal-native-access=allow", EnabledLater::class) shouldContainExactly
                    listOf("exported [1, null, 3]", "balanced")
            }
        }

        test(
            "without the flag, the JVM's warning comes with the first export, and not before",
        ).config(enabled = canDeny) {
            val lines = outputOf(classPath + "--illegal-native-access=warn", EnabledLater::class)
            lines.first() shouldContain "WARNING"
            lines.first { it.isNotEmpty() && "WARNING" !in it } shouldBe "exported [1, null, 3]"

            outputOf(classPath + "--illegal-native-access=warn", BuildsOnly::class) shouldContainExactly
                listOf("works", "balanced")
        }
    })

private fun KClass<*>.location() =
    File(
        java.protectionDomain.codeSource.location
            .toURI(),
    ).path
