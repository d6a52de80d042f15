package dev.arrowdevice.core

import com.android.tools.r8.ClassFileResourceProvider
import com.android.tools.r8.D8
import com.android.tools.r8.D8Command
import com.android.tools.r8.DexIndexedConsumer
import com.android.tools.r8.Diagnostic
import com.android.tools.r8.DiagnosticsHandler
import com.android.tools.r8.JdkClassFileProvider
import com.android.tools.r8.ProgramResource
import com.android.tools.r8.R8
import com.android.tools.r8.R8Command
import com.android.tools.r8.origin.Origin
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.string.shouldContain
import java.nio.file.Path
import java.util.function.Consumer
import kotlin.io.path.Path
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.readLines
import kotlin.io.path.toPath
import kotlin.io.path.walk

private const val ANDROID_13 = 33

/** What an app would keep; and the inner parts of the JDK that stands for Android's library are left out of it. */
private val APP_RULES =
    listOf("-keep public class dev.arrowdevice.** { public protected *; }", "-dontwarn jdk.**,sun.**")

private val MISSING =
    listOf("Ljava/lang/foreign/", "Ljava/lang/Record;", "Ljava/lang/System\$Logger", "Ljava/lang/Module;")

/** The running JDK without what Android 13 lacks stands for its library, which is on no package registry. */
private class AndroidLibrary(
    private val jdk: ClassFileResourceProvider,
) : ClassFileResourceProvider {
    private fun isThere(descriptor: String) = descriptor.startsWith("Ljava/") && MISSING.none(descriptor::startsWith)

    override fun getClassDescriptors(): Set<String> = jdk.classDescriptors.filterTo(HashSet(), ::isThere)

    override fun getProgramResource(descriptor: String): ProgramResource? =
        if (isThere(descriptor)) jdk.getProgramResource(descriptor) else null

    override fun getProgramResources(consumer: Consumer<ProgramResource>) =
        classDescriptors.forEach { consumer.accept(jdk.getProgramResource(it)) }
}

private class Complaints : DiagnosticsHandler {
    val messages = mutableListOf<String>()

    override fun error(error: Diagnostic) {
        messages += error.diagnosticMessage
    }

    override fun warning(warning: Diagnostic) {
        messages += warning.diagnosticMessage
    }

    override fun info(info: Diagnostic) = Unit
}

class AndroidTest :
    FunSpec({
        // R8's own assertions are meant for its developers; one of them stumbles over desugared records.
        ClassLoader.getSystemClassLoader().setPackageAssertionStatus("com.android.tools.r8", false)

        val classes =
            requireNotNull(AndroidTest::class.java.getResource("/META-INF/proguard/arrow-device-core.pro"))
                .toURI()
                .toPath()
                .parent.parent.parent
        val rules = classes.resolve("META-INF/proguard/arrow-device-core.pro").readLines()
        val core = classes.walk().filter { it.extension == "class" && it.name != "module-info.class" }.toList()
        val dependencies: List<Path> =
            System
                .getProperty("java.class.path")
                .split(System.getProperty("path.separator"))
                .map(::Path)
                .filter { jar -> listOf("kotlin-stdlib-", "annotations-", "jspecify-").any(jar.name::startsWith) }

        fun library() = AndroidLibrary(JdkClassFileProvider.fromSystemJdk())

        fun shrink(rules: List<String>): List<String> {
            val complaints = Complaints()
            val command =
                R8Command
                    .builder(complaints)
                    .addProgramFiles(core)
                    .addClasspathFiles(dependencies)
                    .addLibraryResourceProvider(library())
                    .addProguardConfiguration(rules, Origin.unknown())
                    .addProguardConfiguration(APP_RULES, Origin.unknown())
                    .setMinApiLevel(ANDROID_13)
                    .setProgramConsumer(DexIndexedConsumer.emptyConsumer())
                    .build()
            runCatching { R8.run(command) }.onFailure { complaints.messages += it.message.orEmpty() }
            return complaints.messages
        }

        test("D8 turns the classes into Android's format") {
            val complaints = Complaints()
            D8.run(
                D8Command
                    .builder(complaints)
                    .addProgramFiles(core)
                    .addClasspathFiles(dependencies)
                    .addLibraryResourceProvider(library())
                    .setMinApiLevel(ANDROID_13)
                    .setProgramConsumer(DexIndexedConsumer.emptyConsumer())
                    .build(),
            )
            complaints.messages.shouldBeEmpty()
        }

        test("R8 shrinks the classes with the rules in the jar") {
            shrink(rules).shouldBeEmpty()
        }

        test("without these rules R8 refuses, because Android has no java.lang.foreign") {
            val complaints = shrink(emptyList())
            complaints.shouldNotBeEmpty()
            complaints.joinToString() shouldContain "java.lang.foreign"
        }
    })
