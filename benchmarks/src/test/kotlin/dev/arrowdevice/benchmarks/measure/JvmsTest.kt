package dev.arrowdevice.benchmarks.measure

import dev.arrowdevice.benchmarks.Peer
import dev.arrowdevice.benchmarks.Program
import dev.arrowdevice.benchmarks.Task
import dev.arrowdevice.benchmarks.data.LongLoops
import dev.arrowdevice.benchmarks.exchange.Alone
import dev.arrowdevice.benchmarks.exchange.Ends
import dev.arrowdevice.benchmarks.exchange.Kind
import dev.arrowdevice.benchmarks.jmh
import dev.arrowdevice.benchmarks.program.FirstExchange
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.engine.spec.tempfile
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.doubles.shouldBeBetween
import io.kotest.matchers.doubles.shouldBeGreaterThan
import io.kotest.matchers.doubles.shouldBeLessThan
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.nulls.shouldNotBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldMatch
import kotlin.io.path.listDirectoryEntries
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds

class JvmsTest :
    FunSpec({
        System.setProperty("jmh.ignoreLock", "true")
        val folder = tempdir().toPath()
        val jvms = Jvms(1600.milliseconds, folder)

        test("a benchmark is measured in nanoseconds per operation, with the heap that it allocates") {
            val whole = jvms.fork(jmh<LongLoops>("boxes", "rows" to 1000))
            val each = jvms.fork(jmh<LongLoops>("boxes", "rows" to 1000, operations = 1000))
            whole.nanos.shouldBeBetween(100.0, 1e6, 0.0)
            each.nanos shouldBeLessThan whole.nanos / 50
            whole.heapBytes.shouldNotBeNull() shouldBeGreaterThan 0.0
        }

        test("the last iterations without a busy compiler count") {
            fun iterations(vararg compiling: Double) =
                compiling.mapIndexed { index, share -> Iteration(index.toDouble(), compiling = share) }

            fun settled(vararg compiling: Double) = settled(iterations(*compiling)).map { it.nanos }
            settled(0.9, 0.5, 0.0, 0.0, 0.0) shouldBe listOf(2.0, 3.0)
            settled(0.9, 0.5, 0.3, 0.09, 0.02, 0.0) shouldBe listOf(3.0, 4.0)
            settled(0.9, 0.0, 0.0, 0.0, 0.3, 0.0, 0.0, 0.0) shouldBe listOf(5.0, 6.0)
            settled(0.9, 0.5, 0.3, 0.2, 0.2, 0.0).shouldBeEmpty()
        }

        test("compilation of the tear-down does not count as a busy compiler") {
            val compiling = List(5) { 0.0 } + 0.5
            val iterations = compiling.mapIndexed { index, share -> Iteration(index.toDouble(), compiling = share) }
            settled(iterations).map { it.nanos } shouldBe listOf(3.0, 4.0)
        }

        test("both sides run in turn, an iteration each") {
            val record = tempfile()
            val (ours, peer) = listOf("a", "b").map { jmh<Recording>("park", "file" to record.name, "name" to it) }
            val sample = jvms.sample(Task("a/b", "", ours, Peer("them", peer)))
            listOf(sample.ours, sample.peer.shouldNotBeNull()).forEach { it.nanos shouldBeGreaterThan 1e6 }
            // Each writes its name twice an iteration. Whose JVM is there first begins, also where all is run once more.
            record.readText() shouldMatch Regex("((aabb){3,}|(bbaa){3,})+")
        }

        test("a side that fails is reported, and the other one does not wait for it") {
            listOf("nothing" to "1000", "longArray" to "many").forEach { (method, rows) ->
                val broken = jmh<LongLoops>(method, "rows" to rows)
                val task = Task("a/b", "", jmh<LongLoops>("boxes", "rows" to 1000), Peer("them", broken))
                shouldThrow<MeasuringException> { jvms.sample(task) }.message shouldContain broken.label
            }
        }

        test("a benchmark that JMH runs twice is reported, and does not wait for its turn") {
            val two = jmh<Recording>("park", "file" to tempfile().name)
            shouldThrow<MeasuringException> { jvms.fork(two) }.message shouldContain "Recording.park"
        }

        test("on two threads the time between two ends is measured") {
            val one = jvms.fork(jmh<Parking>("park"))
            val two = jvms.fork(jmh<Parking>("park", threads = 2))
            one.nanos shouldBeGreaterThan 1e6
            (two.nanos / one.nanos).shouldBeBetween(0.4, 0.65, 0.0)
        }

        test("heap is not reported for benchmarks with a set-up for each call, because JMH's figure includes that") {
            val fork = jvms.fork(jmh<Alone>("exported", "side" to Ends.Side.ARRAYS, "kind" to Kind.INT32))
            fork.heapBytes.shouldBeNull()
        }

        test("an unknown benchmark is reported") {
            shouldThrow<MeasuringException> { jvms.fork(jmh<LongLoops>("nothing")) }.message shouldContain
                "LongLoops.nothing"
        }

        test("a benchmark that fails is reported with JMH's log") {
            val failure = shouldThrow<MeasuringException> { jvms.fork(jmh<LongLoops>("longArray", "rows" to "many")) }
            failure.message shouldContain "LongLoops.longArray rows=many"
        }

        test("a program is started as often as it requests, without the time of the JVM's start") {
            val fork = jvms.fork(Program(FirstExchange::class.java, starts = 2))
            fork.iterations shouldHaveSize 2
            fork.nanos.shouldBeBetween(1e6, 60e9, 0.0)
        }

        test("a class-data archive makes it start faster") {
            val archived = jvms.fork(Program(FirstExchange::class.java, starts = 3, archived = true))
            val cold = jvms.fork(Program(FirstExchange::class.java, starts = 3))
            archived.nanos shouldBeLessThan cold.nanos
            folder.listDirectoryEntries("*.jsa") shouldHaveSize 1
        }

        test("a program that fails is reported with its output") {
            val failure = shouldThrow<MeasuringException> { jvms.fork(Program(FailingProgram::class.java, starts = 1)) }
            failure.message shouldContain "FailingProgram ended with 1"
            failure.message shouldContain "out of order"
        }

        test("a program that prints no figures is reported") {
            shouldThrow<MeasuringException> { jvms.fork(Program(SilentProgram::class.java, starts = 1)) }
                .message shouldContain "printed no figures:\nnothing to say"
        }
    })

internal object FailingProgram {
    @JvmStatic
    fun main(arguments: Array<String>): Unit = error("out of order")
}

internal object SilentProgram {
    @JvmStatic
    fun main(arguments: Array<String>) = println("nothing to say")
}
