package dev.arrowdevice.coroutines

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Runs [resume], which resumes a coroutine of this context, such that the coroutine does not go on within this call: with
 * dispatchers like `Unconfined` and `Main.immediate`, or with none, it would, here and now.
 */
internal fun CoroutineContext.resumingLater(resume: () -> Unit) {
    val dispatcher = this[ContinuationInterceptor] as? CoroutineDispatcher
    if (dispatcher != null && dispatcher.isDispatchNeeded(this)) {
        resume()
    } else {
        Dispatchers.Default.dispatch(EmptyCoroutineContext) { resume() }
    }
}
