package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.exchange.ArrayRoundTrip
import dev.arrowdevice.benchmarks.exchange.ArrowJavaArrayRoundTrip

internal val exchangeTasks: List<Task> =
    listOf(
        Task(
            "exchange/int32",
            "export, import and release of an int32 array of a known type",
            jmh<ArrayRoundTrip>("typeKnown"),
            Peer("arrow-java", jmh<ArrowJavaArrayRoundTrip>("typeKnown")),
            budget = 8.0,
        ),
        Task(
            "exchange/int32-schema",
            "export, import and release of an int32 array and its schema",
            jmh<ArrayRoundTrip>("withSchema"),
            Peer("arrow-java", jmh<ArrowJavaArrayRoundTrip>("withSchema")),
        ),
    )
