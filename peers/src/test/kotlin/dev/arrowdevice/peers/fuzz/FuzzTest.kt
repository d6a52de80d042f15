package dev.arrowdevice.peers.fuzz

import dev.arrowdevice.peers.PeerBalance
import io.kotest.core.spec.style.FunSpec

/**
 * Valid structs of the C peer are spoiled at random, in what an import can check. An import refuses them with a
 * documented exception and releases everything once, or what it accepts can be used.
 */
class FuzzTest :
    FunSpec({
        extension(PeerBalance)

        test("arrays") { Fuzz.cases("arrays", 20_000, ::fuzzArray) }

        test("schemas") { Fuzz.cases("schemas", 20_000, ::fuzzSchema) }

        test("async producers") { Fuzz.cases("async producers", 1_000, ::fuzzAsyncImport) }

        test("async consumers") { Fuzz.cases("async consumers", 1_000, ::fuzzAsyncExport) }

        test("streams") { Fuzz.cases("streams", 5_000, ::fuzzStream) }
    })
