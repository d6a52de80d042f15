package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.peers.PeerBalance
import io.kotest.core.spec.style.FunSpec
import kotlin.time.Duration

/**
 * Valid structs of the C peer are spoiled at random, in what an import can check. An import refuses them with a
 * documented exception and releases everything once, or what it accepts can be used.
 * [Fuzz] ends a case that hangs, so that the tests themselves need no limit.
 */
class FuzzTest :
    FunSpec({
        extension(PeerBalance)

        test("arrays").config(timeout = Duration.INFINITE) { Fuzz.cases("arrays", 20_000, ::fuzzArray) }

        test("schemas").config(timeout = Duration.INFINITE) { Fuzz.cases("schemas", 20_000, ::fuzzSchema) }

        test(
            "async producers",
        ).config(timeout = Duration.INFINITE) { Fuzz.cases("async producers", 1_000, ::fuzzAsyncImport) }

        test(
            "async consumers",
        ).config(timeout = Duration.INFINITE) { Fuzz.cases("async consumers", 1_000, ::fuzzAsyncExport) }

        test("streams").config(timeout = Duration.INFINITE) { Fuzz.cases("streams", 5_000, ::fuzzStream) }
    })
