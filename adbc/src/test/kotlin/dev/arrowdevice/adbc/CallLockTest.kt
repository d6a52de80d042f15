package dev.arrowdevice.adbc

import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.runBlocking
import java.util.Collections

/** What waits for a call that itself waits for a bound stream, and what does not. */
class CallLockTest :
    FunSpec({
        val soon = 1_000_000L // nanoseconds

        /** Makes a call whose bound stream waits, and runs [meanwhile] in that time. */
        suspend fun whilePulling(
            lock: CallLock,
            log: MutableList<String>,
            meanwhile: suspend (goOn: () -> Unit) -> Unit,
        ) {
            val pulls = CompletableDeferred<Unit>()
            val goOn = CompletableDeferred<Unit>()
            runBlocking(Dispatchers.IO) {
                val call =
                    async {
                        lock.call("executeUpdate") {
                            lock.pulling {
                                pulls.complete(Unit)
                                runBlocking { goOn.await() }
                            }
                            log += "call"
                        }
                    }
                pulls.await()
                meanwhile { goOn.complete(Unit) }
                goOn.complete(Unit)
                call.await()
            }
        }

        fun log(): MutableList<String> = Collections.synchronizedList(mutableListOf())

        test("a close waits longer than a call, which is refused") {
            val lock = CallLock(soon)
            val log = log()
            whilePulling(lock, log) { goOn ->
                runBlocking(Dispatchers.IO) {
                    val close = async { lock.close { log += "close" } }
                    shouldThrow<IllegalStateException> { lock.call("commit") { log += "commit" } }.message shouldContain
                        "commit: the connection executes a statement"
                    close.isCompleted shouldBe false
                    goOn()
                    close.await()
                }
            }
            log shouldContainExactly listOf("call", "close")
        }

        test("a call is made when the bound stream goes on in time") {
            val lock = CallLock()
            val log = log()
            whilePulling(lock, log) { goOn ->
                runBlocking(Dispatchers.IO) {
                    val other = async { lock.call("commit") { log += "commit" } }
                    goOn()
                    other.await()
                }
            }
            log shouldContainExactly listOf("call", "commit")
        }

        test("a release does not wait: the call makes it at its end, and a failure of it fails neither") {
            val lock = CallLock()
            val log = log()
            whilePulling(lock, log) {
                lock.release { error("the driver fails to release") }
                lock.release { log += "release" }
                log shouldBe listOf()
            }
            log shouldContainExactly listOf("call", "release")
        }

        test("a release on the thread that calls the driver waits for the end of the call") {
            val lock = CallLock()
            val log = log()
            lock.call("executeUpdate") {
                lock.pulling { lock.release { log += "release" } }
                log += "call"
            }
            log shouldContainExactly listOf("call", "release")
        }

        test("what would wait for itself on the thread that reads the bound stream is refused at once") {
            val lock = CallLock()
            lock.pulling {
                shouldThrow<IllegalStateException> { lock.requireNotPulling("createStatement") }
            }
            lock.requireNotPulling("createStatement")
            lock.call("executeUpdate") {
                lock.pulling {
                    shouldThrow<IllegalStateException> { lock.call("commit") {} }
                    shouldThrow<IllegalStateException> { lock.close {} }
                }
            }
        }
    })
