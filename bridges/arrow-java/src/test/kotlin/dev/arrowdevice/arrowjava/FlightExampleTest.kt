package dev.arrowdevice.arrowjava

import dev.arrowdevice.DeviceArrayStream
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import org.apache.arrow.flight.FlightClient
import org.apache.arrow.flight.FlightProducer.CallContext
import org.apache.arrow.flight.FlightProducer.ServerStreamListener
import org.apache.arrow.flight.FlightServer
import org.apache.arrow.flight.Location
import org.apache.arrow.flight.NoOpFlightProducer
import org.apache.arrow.flight.Ticket
import org.apache.arrow.memory.BufferAllocator

/** A Flight server that has our batches, and a client that reads them. */
class FlightExampleTest :
    FunSpec({
        test("our batches are served over Flight, and read as our batches") {
            exchange { allocator ->
                FlightServer.builder(allocator, loopback(0), Batches(allocator)).build().start().use { server ->
                    FlightClient.builder(allocator, loopback(server.port)).build().use { client ->
                        client.getStream(Ticket(byteArrayOf())).use { stream ->
                            val root = stream.root
                            val received =
                                generateSequence {
                                    if (stream.next()) {
                                        root.toRecordBatch(
                                            stream.dictionaryProvider,
                                        )
                                    } else {
                                        null
                                    }
                                }
                            received.flatMap { batch -> batch.use(::read) }.toList() shouldBe rows(0, 30)
                        }
                    }
                }
            }
        }
    }) {
    private class Batches(
        private val allocator: BufferAllocator,
    ) : NoOpFlightProducer() {
        override fun getStream(
            context: CallContext,
            ticket: Ticket,
            listener: ServerStreamListener,
        ) {
            val stream = DeviceArrayStream.of(people, List(3) { people(10 * it, 10) })
            stream.toArrowReader(allocator).use { reader ->
                listener.start(reader.vectorSchemaRoot, reader)
                while (reader.loadNextBatch()) listener.putNext()
                listener.completed()
            }
        }
    }

    private companion object {
        fun loopback(port: Int): Location = Location.forGrpcInsecure("127.0.0.1", port)
    }
}
