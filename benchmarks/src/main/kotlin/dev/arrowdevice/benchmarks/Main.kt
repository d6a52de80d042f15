package dev.arrowdevice.benchmarks

import com.github.ajalt.clikt.core.context
import com.github.ajalt.clikt.core.main
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path

internal object Main {
    /** The script `run` passes the folder of the sources. */
    @JvmStatic
    fun main(arguments: Array<String>) {
        // Two runs at once disturb each other. That is for the user to decide, not for a file in /tmp.
        System.setProperty("jmh.ignoreLock", "true")
        endChildrenWithThisProcess()
        RunCommand(catalogue, Path.of(System.getProperty("benchmarks.root", "")))
            // In a file, the table is as wide as it needs to be.
            .context { terminal = Terminal(nonInteractiveWidth = 250) }
            .main(arguments)
    }

    /** Ends all child processes with this one. A JVM that is left alone would go on measuring. */
    fun endChildrenWithThisProcess() {
        Runtime.getRuntime().addShutdownHook(
            Thread { ProcessHandle.current().descendants().forEach { it.destroyForcibly() } },
        )
    }
}
