package dev.arrowdevice.peers.async

import dev.arrowdevice.ForeignException
import dev.arrowdevice.Metadata
import dev.arrowdevice.peers.go.GoConsumer
import dev.arrowdevice.spi.Errno
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain

/** arrow-go as consumer of async streams that we produce. */
class GoConsumerTest :
    FunSpec({
        testWithGo("batches arrive in order, with their metadata, as Go requests them") {
            GoConsumer.create(2).use { consumer ->
                val producer = Producer(consumer.handlerAddress(), metadata = Metadata.of("batches", "3"))
                producer.export.start() shouldBe true
                producer.offer(1, 2, metadata = Metadata.of("part", "first")) shouldBe true
                producer.offer(3)
                consumer.next() shouldBe 2
                consumer.metadata() shouldBe "part=first"
                consumer.sum() shouldBe 3
                consumer.next() shouldBe 1
                consumer.metadata() shouldBe ""
                consumer.sum() shouldBe 6
                producer.offer()
                consumer.next() shouldBe 0
                producer.export.end()
                producer.export.release()
                consumer.next() shouldBe GoConsumer.END
                consumer.failure().shouldBeNull()
                producer.extracted.get() shouldBe 3
                producer.export.outstandingTasks shouldBe 0
            }
        }

        testWithGo("Go requests as many batches as its queue has room for, and one more with each task") {
            GoConsumer.create(3).use { consumer ->
                val producer = Producer(consumer.handlerAddress())
                producer.export.start()
                producer.export.demand shouldBe 3
                producer.offer(1)
                consumer.next() shouldBe 1
                producer.awaitDemand(3)
                producer.export.end()
                producer.export.release()
                consumer.next() shouldBe GoConsumer.END
            }
        }

        testWithGo("many batches pass a short queue") {
            GoConsumer.create(4).use { consumer ->
                val producer = Producer(consumer.handlerAddress())
                val sender =
                    Thread {
                        producer.export.start()
                        (1L..1_000).forEach { producer.offer(it) }
                        producer.export.end()
                        producer.export.release()
                    }.apply { start() }
                repeat(1_000) { consumer.next() shouldBe 1 }
                consumer.next() shouldBe GoConsumer.END
                consumer.sum() shouldBe 500_500
                sender.join()
            }
        }

        testWithGo("a failure in place of the schema is reported with its code") {
            GoConsumer.create(2).use { consumer ->
                Producer(consumer.handlerAddress()).export.run {
                    fail(ForeignException("query", Errno.ENOENT, "no such table"))
                    release()
                }
                consumer.next() shouldBe GoConsumer.FAILED
                consumer.failure().shouldNotBeNull().run {
                    code() shouldBe Errno.ENOENT
                    text() shouldContain "no such table"
                }
            }
        }

        testWithGo("a failure between batches is reported with its code, after the batches before it") {
            GoConsumer.create(2).use { consumer ->
                val producer = Producer(consumer.handlerAddress())
                producer.export.start()
                producer.offer(1)
                producer.offer(2)
                consumer.next() shouldBe 1
                consumer.next() shouldBe 1
                producer.export.fail(ForeignException("read", Errno.EIO, "disk gone", Metadata.of("disk", "sda")))
                producer.export.release()
                consumer.next() shouldBe GoConsumer.FAILED
                consumer.failure().shouldNotBeNull().code() shouldBe Errno.EIO
            }
        }

        testWithGo("a task that fails is skipped until the reason arrives") {
            GoConsumer.create(1).use { consumer ->
                val producer = Producer(consumer.handlerAddress())
                producer.export.start()
                val reason = UnsupportedOperationException("no such codec")
                producer.offerFailing(reason)
                // Go asks for the next one before it extracts.
                producer.awaitDemand(1)
                producer.export.fail(reason)
                producer.export.release()
                consumer.next() shouldBe GoConsumer.FAILED
                consumer.failure().shouldNotBeNull().run {
                    code() shouldBe Errno.ENOSYS
                    text() shouldContain "no such codec"
                }
            }
        }

        testWithGo("a cancel by Go reaches us, and only release follows") {
            GoConsumer.create(2).use { consumer ->
                val producer = Producer(consumer.handlerAddress())
                producer.export.start()
                producer.offer(1)
                consumer.next() shouldBe 1
                consumer.cancel()
                producer.awaitCancel()
                producer.export.isCancelled shouldBe true
                producer.export.release()
                consumer.next() shouldBe GoConsumer.END
                producer.export.outstandingTasks shouldBe 0
            }
        }

        testWithGo("tasks that Go loses when it is cancelled can be reclaimed") {
            GoConsumer.create(3).use { consumer ->
                val producer = Producer(consumer.handlerAddress())
                producer.export.start()
                consumer.cancel()
                producer.awaitCancel()
                // The goroutine that called cancel takes nothing any more; its queue has room for three.
                repeat(3) { producer.offer(it.toLong()) }
                producer.export.release()
                consumer.next() shouldBe GoConsumer.END
                producer.export.outstandingTasks shouldBe 3
                producer.export.reclaim() shouldBe 3
                producer.discarded.get() shouldBe 3
            }
        }
    })
