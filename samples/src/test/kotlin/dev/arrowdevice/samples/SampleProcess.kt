package dev.arrowdevice.samples

import java.io.InputStream
import java.nio.file.Path
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/**
 * A sample in a process of its own, as `samples/run` starts it, but on the class path of the tests.
 *
 * @param options for the JVM
 * @param environment variables in addition to those of this process
 * @param java of another JVM, which gets no option of its own; by default this one
 */
internal class SampleProcess(
    main: String,
    vararg arguments: String,
    options: List<String> = emptyList(),
    environment: Map<String, String> = emptyMap(),
    java: Path? = null,
) : AutoCloseable {
    private val process =
        ProcessBuilder(
            *heedingInterrupts,
            *(java?.let { arrayOf("$it") } ?: thisJvm()),
            *options.toTypedArray(),
            "-cp",
            System.getProperty("java.class.path"),
            "dev.arrowdevice.samples.$main",
            *arguments,
        ).also { it.environment().putAll(environment) }
            .start()

    private val output = collect(process.inputStream) {}
    private val progress = StringBuilder()
    private val awaited = LinkedHashMap<Regex, CompletableFuture<Unit>>()
    private val errors = collect(process.errorStream, ::onProgress)

    private fun collect(
        stream: InputStream,
        onText: (String) -> Unit,
    ): CompletableFuture<String> {
        val all = CompletableFuture<String>()
        thread(isDaemon = true) {
            val text = StringBuilder()
            val buffer = CharArray(4096)
            stream.reader().use { reader ->
                while (true) {
                    val count = reader.read(buffer)
                    if (count < 0) break
                    val piece = String(buffer, 0, count)
                    text.append(piece)
                    onText(piece)
                }
            }
            all.complete(text.toString())
        }
        return all
    }

    private fun onProgress(piece: String) {
        synchronized(progress) {
            progress.append(piece)
            awaited.filterKeys { it.containsMatchIn(progress) }.values.forEach { it.complete(Unit) }
        }
    }

    /** Waits until the standard error output, where the progress bar is, has something that matches. */
    fun awaitProgress(pattern: Regex) {
        val found =
            synchronized(progress) {
                awaited.getOrPut(pattern) { CompletableFuture() }.also {
                    if (pattern.containsMatchIn(progress)) it.complete(Unit)
                }
            }
        process.onExit().thenRun {
            found.completeExceptionally(IllegalStateException("it has ended: $progress"))
        }
        found.get(SECONDS, TimeUnit.SECONDS)
    }

    /** Does what Ctrl-C does. */
    fun interrupt() {
        check(ProcessBuilder("kill", "-INT", process.pid().toString()).start().waitFor() == 0) { "kill failed" }
    }

    /** Waits for the end; the exit code, and the lines of the standard output. */
    fun await(): Pair<Int, List<String>> {
        check(process.waitFor(SECONDS, TimeUnit.SECONDS)) { "it still runs" }
        return process.exitValue() to output.get(SECONDS, TimeUnit.SECONDS).trim().lines()
    }

    /** The standard error output, once it has ended. */
    fun errors(): String = errors.get(SECONDS, TimeUnit.SECONDS)

    override fun close() {
        process.destroyForcibly()
    }

    private companion object {
        const val SECONDS = 120L

        fun thisJvm(): Array<String> {
            val java = ProcessHandle.current().info().command()
            return arrayOf(java.get(), "--enable-native-access=ALL-UNNAMED")
        }

        /** A test run in the background of a shell ignores Ctrl-C, and so would what it starts. */
        val heedingInterrupts: Array<String> =
            arrayOf("env", "--default-signal=INT").takeIf { env ->
                runCatching { ProcessBuilder(*env, "true").start().waitFor() == 0 }.getOrDefault(false)
            } ?: emptyArray()
    }
}
