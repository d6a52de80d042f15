package dev.arrowdevice.benchmarks

import dev.arrowdevice.benchmarks.exchange.ArrayRoundTrip
import dev.arrowdevice.benchmarks.exchange.ArrayWithNative
import dev.arrowdevice.benchmarks.exchange.BatchRoundTrip
import dev.arrowdevice.benchmarks.exchange.BatchWithNative
import dev.arrowdevice.benchmarks.exchange.Kind
import dev.arrowdevice.benchmarks.exchange.NativeRoundTrip

/** A producer and a consumer in C: the least that an exchange can cost. */
private fun betweenC(kind: Kind) = Peer("C to C", jmh<NativeRoundTrip>("betweenC", "kind" to kind))

private fun betweenCpp(
    kind: Kind,
    method: String = "betweenCpp",
) = Peer("C++ to C++", jmh<NativeRoundTrip>(method, "kind" to kind))

private val overTheBoundary: List<Task> =
    listOf(
        beside(
            "c/int32-out",
            "export of an int32 array to C, which releases it",
            array("toC"),
            betweenC(Kind.INT32),
            0.37,
        ),
        beside(
            "c/int32-in",
            "import of an int32 array from C, and closing",
            array("fromC"),
            betweenC(Kind.INT32),
            0.32,
        ),
        beside(
            "c/batch-out",
            "export of a batch of 100 columns to C, which releases it",
            batch("toC"),
            betweenC(Kind.COLUMNS_100),
            0.55,
        ),
        beside(
            "c/batch-in",
            "import of a batch of 100 columns from C, and closing",
            batch("fromC"),
            betweenC(Kind.COLUMNS_100),
            0.35,
        ),
        beside(
            "c/batch-in-values",
            "import of a batch of 100 columns from C, reading one value of each column, and closing",
            batch("valuesFromC"),
            betweenC(Kind.COLUMNS_100),
            0.08,
        ),
        beside(
            "cpp/int32-out",
            "export of an int32 array to Arrow C++, which releases it",
            array("toCpp"),
            betweenCpp(Kind.INT32),
        ),
        beside(
            "cpp/int32-in",
            "import of an int32 array from Arrow C++, and closing",
            array("fromCpp"),
            betweenCpp(Kind.INT32),
        ),
        beside(
            "cpp/batch-out",
            "export of a batch of 100 columns to Arrow C++, which releases it",
            batch("toCpp"),
            betweenCpp(Kind.COLUMNS_100),
        ),
        beside(
            "cpp/batch-in",
            "import of a batch of 100 columns from Arrow C++, and closing",
            batch("fromCpp"),
            betweenCpp(Kind.COLUMNS_100),
        ),
    )

/** A task with an exchange partner in C and one in Arrow C++. */
private fun beside(
    name: String,
    what: String,
    ours: Measured,
    peer: Peer,
    budget: Double? = null,
) = Task(name, what, ours, peer, budget = budget, quick = false, obstacle = ::lackOfArrowCpp)

private fun array(method: String) = jmh<ArrayWithNative>(method)

private fun batch(method: String) = jmh<BatchWithNative>(method, "kind" to Kind.COLUMNS_100)

/** Each library exchanges with itself: both ends are ours, or both are Arrow C++'s. */
private val besideCpp: List<Task> =
    listOf(
        beside(
            "cpp/int32",
            "export, import and release of an int32 array, each side by itself",
            jmh<ArrayRoundTrip>("structReused"),
            betweenCpp(Kind.INT32),
        ),
        beside(
            "cpp/int32-schema",
            "export, import and release of an int32 array with its schema, each side by itself",
            jmh<ArrayRoundTrip>("withSchema"),
            betweenCpp(Kind.INT32, "betweenCppWithSchema"),
        ),
        beside(
            "cpp/batch-100",
            "export, import and release of a batch of 100 columns, each side by itself",
            jmh<BatchRoundTrip>("schemaKnown", "kind" to Kind.COLUMNS_100),
            betweenCpp(Kind.COLUMNS_100),
        ),
        beside(
            "cpp/batch-100-schema",
            "export, import and release of a batch of 100 columns with its schema, each side by itself",
            jmh<BatchRoundTrip>("withSchema", "kind" to Kind.COLUMNS_100),
            betweenCpp(Kind.COLUMNS_100, "betweenCppWithSchema"),
        ),
    )

internal val peerTasks: List<Task> = overTheBoundary + besideCpp
