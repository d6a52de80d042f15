package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.program.ArrowJavaFirstExchange
import dev.arrowdevice.benchmarks.program.FirstExchange
import dev.arrowdevice.benchmarks.program.TenMillionExchanges
import java.nio.file.Files
import java.nio.file.Path

/** Tasks about a whole process: its start, its memory. */
internal val processTasks: List<Task> =
    listOf(
        Task(
            "start/cold",
            "the first exchange in a fresh JVM: build, export, import and read an int32 array",
            Program(FirstExchange::class.java),
            Peer("arrow-java", Program(ArrowJavaFirstExchange::class.java)),
        ),
        Task(
            "start/archive",
            "the first exchange in a fresh JVM with a class-data archive",
            Program(FirstExchange::class.java, archived = true),
            Peer("arrow-java", Program(ArrowJavaFirstExchange::class.java, archived = true)),
        ),
        Task(
            "memory/native",
            "native memory over ten million exchanges of a batch",
            Program(
                TenMillionExchanges::class.java,
                starts = 1,
                options = listOf("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch"),
            ),
            peer = null,
            ratio = Ratio.Growth(bytes = 1e6),
            budget = 1.0,
            obstacle = {
                if (Files.exists(
                        Path.of("/proc/self/status"),
                    )
                ) {
                    null
                } else {
                    "the memory of a process is read from Linux's /proc"
                }
            },
        ),
    )
