package dev.arrowdevice.cuda.program

import dev.arrowdevice.cuda.HeldStreams
import dev.arrowdevice.cuda.cuda
import dev.arrowdevice.cuda.simulated
import dev.arrowdevice.testkit.SimulatedDriverMode
import kotlin.concurrent.thread
import kotlin.system.exitProcess

/**
 * Ends in one of three ways while the work that an action waits for goes on: `return`, `exit`, `thread` (which has queued the
 * work). The simulated driver calls what is still pending when the process ends.
 */
internal object ExitsWhilePending {
    @JvmStatic
    fun main(arguments: Array<String>) {
        simulated?.modes(setOf(SimulatedDriverMode.CALLBACKS_AT_EXIT))
        val gpu = cuda(0)
        val held = HeldStreams.of(gpu)
        if (held == null) {
            println("not tried: the GPU can't hold a stream")
            return
        }

        fun wait() {
            val queue = gpu.createQueue()
            held.hold(queue.handle)
            gpu.record(queue).whenComplete { println("the action ran") }
        }
        if (arguments[0] == "thread") thread { wait() }.join() else wait()
        println("pending")
        if (arguments[0] == "exit") exitProcess(0)
    }
}
