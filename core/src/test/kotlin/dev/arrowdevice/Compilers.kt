package dev.arrowdevice

import org.jetbrains.kotlin.cli.common.ExitCode
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream
import kotlin.io.path.createTempDirectory

/** The output of the Kotlin compiler for a file; empty if it compiles. */
internal fun compileKotlin(source: String): String {
    val folder = createTempDirectory("snippet").toFile()
    try {
        val file = File(folder, "Snippet.kt")
        file.writeText(source)
        val said = ByteArrayOutputStream()
        val classPath = System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
        val arguments =
            arrayOf(
                "-no-stdlib",
                "-no-reflect",
                "-nowarn",
                "-jvm-target",
                "17",
                "-cp",
                classPath,
                "-d",
                folder.path,
                file.path,
            )
        val code = K2JVMCompiler().exec(PrintStream(said, true), *arguments)
        return if (code == ExitCode.OK) "" else said.toString()
    } finally {
        folder.deleteRecursively()
    }
}
