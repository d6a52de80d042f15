package dev.arrowdevice.internal.abi

import dev.arrowdevice.internal.memory.Platform
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveAtLeastSize
import io.kotest.matchers.shouldBe
import java.lang.invoke.MethodType
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.toPath
import kotlin.io.path.writeText

private val file =
    Path("src/main/resources/META-INF/native-image/dev.arrowdevice/arrow-device-core/reachability-metadata.json")

/** The metadata for GraalVM's native-image. It is compared as text: no image is built, here or anywhere else. */
class NativeImageTest :
    FunSpec({
        // madvise is linked on Linux only.
        val linux = System.getProperty("os.name") == "Linux"

        test("the metadata names each function that the core links")
            .config(enabled = Platform.HAS_FOREIGN_MEMORY && linux) {
                initialiseClassesThatLink() shouldHaveAtLeastSize 20
                val metadata = metadata()
                if (System.getProperty("metadata.write") == "true") {
                    file.writeText(metadata)
                }
                file.readText() shouldBe metadata
            }
    })

/** Functions are linked when a class of this package is initialised. */
private fun initialiseClassesThatLink(): List<Class<*>> {
    val type = LinkedFunctions::class.java
    val classes: Path =
        type.protectionDomain.codeSource.location
            .toURI()
            .toPath()
    return classes
        .resolve(type.packageName.replace('.', '/'))
        .listDirectoryEntries()
        .filter { it.extension == "class" && it.nameWithoutExtension != "package-info" }
        .map { Class.forName("${type.packageName}.${it.nameWithoutExtension}", true, type.classLoader) }
}

private fun metadata(): String {
    val critical = "\"options\": { \"critical\": { \"allowHeapAccess\": false } }"
    val downcalls =
        LinkedFunctions.DOWNCALLS.map { entry(it) } + LinkedFunctions.CRITICAL_DOWNCALLS.map { entry(it, critical) }
    return """
        |{
        |  "comment": "What the core links, for native-image. NativeImageTest writes it. No image was built with it.",
        |  "foreign": {
        |    "downcalls": [
        |${lines(downcalls)}
        |    ],
        |    "upcalls": [
        |${lines(LinkedFunctions.UPCALLS.map { entry(it) })}
        |    ]
        |  }
        |}
        |
        """.trimMargin()
}

private fun lines(entries: List<String>): String = entries.sorted().joinToString(",\n") { "      $it" }

private fun entry(
    type: MethodType,
    options: String? = null,
): String {
    val parameters = type.parameterList().joinToString(", ") { layout(it) }
    val members =
        listOfNotNull("\"returnType\": ${layout(type.returnType())}", "\"parameterTypes\": [$parameters]", options)
    return members.joinToString(", ", "{ ", " }")
}

/** The names that native-image has for the layouts of Java's types, and they mean the same on every platform. */
private fun layout(type: Class<*>): String = if (type == Void.TYPE) "\"void\"" else "\"j$type\""
