package dev.arrowdevice.benchmarks

import com.github.ajalt.clikt.core.context
import com.github.ajalt.clikt.core.main
import com.github.ajalt.clikt.core.terminal
import com.github.ajalt.mordant.terminal.Terminal
import java.nio.file.Path

internal object Main {
    /** The script `run` says where the sources lie. */
    @JvmStatic
    fun main(arguments: Array<String>) {
        // Two runs at once make each other's figures worse, but that is the user's to decide, not that of a file in /tmp.
        System.setProperty("jmh.ignoreLock", "true")
        endChildrenWithThisProcess()
        RunCommand(catalogue, Path.of(System.getProperty("benchmarks.root", "")))
            // Into a file the table goes as wide as it is.
            .context { terminal = Terminal(nonInteractiveWidth = 250) }
            .main(arguments)
    }

    /** Who ends a run wants nothing to be measured any more: a JVM that is left alone would go on until it has its figures. */
    fun endChildrenWithThisProcess() {
        Runtime.getRuntime().addShutdownHook(
            Thread { ProcessHandle.current().descendants().forEach { it.destroyForcibly() } },
        )
    }
}
