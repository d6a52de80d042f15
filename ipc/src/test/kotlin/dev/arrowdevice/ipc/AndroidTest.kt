package dev.arrowdevice.ipc

import com.android.tools.r8.D8
import com.android.tools.r8.D8Command
import com.android.tools.r8.DexIndexedConsumer
import com.android.tools.r8.Diagnostic
import com.android.tools.r8.DiagnosticsHandler
import com.android.tools.r8.JdkClassFileProvider
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.toPath
import kotlin.io.path.walk

private const val ANDROID_13 = 33

/** That nothing asks for more than Android 13 has, the build checks by the signatures of its API. */
class AndroidTest :
    FunSpec({
        test("D8 turns the classes, with those of the metadata and of LZ4, into Android's format") {
            val complaints = mutableListOf<String>()
            val handler =
                object : DiagnosticsHandler {
                    override fun error(error: Diagnostic) {
                        complaints += error.diagnosticMessage
                    }

                    override fun warning(warning: Diagnostic) {
                        complaints += warning.diagnosticMessage
                    }

                    override fun info(info: Diagnostic) = Unit
                }
            val jars = jarsOf("arrow-format-", "flatbuffers-java-", "commons-compress-")
            jars shouldHaveSize 3
            D8.run(
                D8Command
                    .builder(handler)
                    .addProgramFiles(classesOf(ArrowFile::class.java))
                    .addProgramFiles(jars)
                    .addClasspathFiles(classPath() - jars.toSet())
                    .addLibraryResourceProvider(JdkClassFileProvider.fromSystemJdk())
                    .setMinApiLevel(ANDROID_13)
                    .setProgramConsumer(DexIndexedConsumer.emptyConsumer())
                    .build(),
            )
            complaints.shouldBeEmpty()
        }
    })

/** The class files beside that of a class. */
private fun classesOf(type: Class<*>): List<Path> =
    type.protectionDomain.codeSource.location
        .toURI()
        .toPath()
        .walk()
        .filter { it.extension == "class" && it.name != "module-info.class" }
        .toList()

private fun classPath(): List<Path> =
    System.getProperty("java.class.path").split(System.getProperty("path.separator")).map(::Path).filter {
        it.extension ==
            "jar"
    }

private fun jarsOf(vararg names: String): List<Path> = classPath().filter { jar -> names.any(jar.name::startsWith) }
