package dev.arrowdevice.internal.abi

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import kotlin.concurrent.thread

class StripeOwnersTest :
    FunSpec({
        fun StripeOwners.owns(stripe: Int = 0) = owns(Thread.currentThread(), stripe)

        /** What a thread that has ended by then finds. */
        fun onAnotherThread(owns: () -> Boolean): Boolean {
            val found = CompletableFuture<Boolean>()
            thread { runCatching(owns).fold(found::complete, found::completeExceptionally) }.join()
            return found.get()
        }

        test("the first thread that asks owns a stripe, and stays its owner") {
            val owners = StripeOwners(2)
            List(3) { owners.owns() } shouldBe listOf(true, true, true)
        }

        test("no other thread owns it while the owner is alive") {
            val owners = StripeOwners(2)
            owners.owns() shouldBe true
            List(2) { onAnotherThread { owners.owns() } } shouldBe listOf(false, false)
            owners.owns() shouldBe true
        }

        test("each stripe has an owner of its own") {
            val owners = StripeOwners(2)
            owners.owns(0) shouldBe true
            val other = Executors.newSingleThreadExecutor()
            try {
                other.submit<Boolean> { owners.owns(1) }.get() shouldBe true
                owners.owns(1) shouldBe false
                other.submit<Boolean> { owners.owns(0) }.get() shouldBe false
                other.submit<Boolean> { owners.owns(1) }.get() shouldBe true
            } finally {
                other.shutdown()
            }
        }

        test("the stripe of a thread that has ended belongs to the next that asks, and to that alone") {
            val owners = StripeOwners(2)
            onAnotherThread { owners.owns() } shouldBe true
            List(2) { owners.owns() } shouldBe listOf(true, true)
            onAnotherThread { owners.owns() } shouldBe false
        }

        test("a thread that says the number of another one does not own its stripe") {
            val owners = StripeOwners(2)
            owners.owns() shouldBe true
            val owned = CompletableFuture<Boolean>()
            val number = Thread.currentThread().id
            object : Thread() {
                @Deprecated("")
                override fun getId(): Long = number

                override fun run() {
                    owned.complete(owners.owns())
                }
            }.start()
            owned.get() shouldBe false
        }

        test("there are as many stripes with an owner as were asked for, also none") {
            StripeOwners(0).count() shouldBe 0
            StripeOwners(4).count() shouldBe 4
            StripeOwners(4).owns(3) shouldBe true
        }
    })
