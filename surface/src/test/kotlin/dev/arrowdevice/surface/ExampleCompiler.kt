package dev.arrowdevice.surface

import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import java.net.URLClassLoader
import javax.tools.ToolProvider
import kotlin.io.path.createTempDirectory

/** What the Kotlin compiler says against the examples; empty if it accepts them. */
internal fun compiled(examples: List<DocExample>): String = inFolder { compileKotlin(examples, it) }

/** What the Java compiler says against the examples; empty if it accepts them. */
internal fun compiledJava(examples: List<DocExample>): String = inFolder { compileJava(examples, it) }

/** Compiles the examples, all Kotlin or all Java, and calls [action] with a loader of their classes. */
internal fun <R> withClassesOf(
    examples: List<DocExample>,
    language: String,
    action: (ClassLoader) -> R,
): R =
    inFolder { folder ->
        val said = if (language == "java") compileJava(examples, folder) else compileKotlin(examples, folder)
        check(said.isEmpty()) { said }
        URLClassLoader(
            arrayOf(folder.resolve("classes").toURI().toURL()),
            DocExample::class.java.classLoader,
        ).use(action)
    }

private fun <R> inFolder(action: (File) -> R): R {
    val folder = createTempDirectory("examples").toFile()
    try {
        return action(folder)
    } finally {
        folder.deleteRecursively()
    }
}

private val classPath: String
    get() = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")

private fun compileJava(
    examples: List<DocExample>,
    folder: File,
): String {
    val files = examples.map { folder.resolve("${it.javaName}.java").apply { writeText(it.javaSource()) } }
    val classes = folder.resolve("classes").apply { mkdir() }
    val said = ByteArrayOutputStream()
    val options = arrayOf("-nowarn", "-proc:none", "-cp", classPath, "-d", classes.path)
    val code =
        ToolProvider.getSystemJavaCompiler().run(
            null,
            said,
            said,
            *options,
            *files.map { it.path }.toTypedArray(),
        )
    return if (code == 0) "" else said.toString().replace(folder.path, "")
}

private fun compileKotlin(
    examples: List<DocExample>,
    folder: File,
): String {
    val sources = folder.resolve("sources").apply { mkdir() }
    sources.resolve("prelude.kt").writeText(PRELUDE)
    examples.forEach { sources.resolve(it.fileName).writeText(it.source()) }
    val said = ByteArrayOutputStream()
    val code =
        K2JVMCompiler().exec(
            PrintStream(said, true),
            "-no-stdlib",
            "-no-reflect",
            "-nowarn",
            "-jvm-target",
            "17",
            // Copied here by the build.
            "-Xplugin=${root.resolve("surface/target/compiler-plugins/serialization.jar")}",
            "-cp",
            classPath,
            "-d",
            folder.resolve("classes").path,
            sources.path,
        )
    return if (code == ExitCode.OK) "" else said.toString().replace(sources.path, "")
}
