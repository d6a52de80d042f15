package dev.arrowdevice.coroutines

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext

/**
 * Calls [resume], which resumes a coroutine of this context, and makes sure that the coroutine does not run within this
 * call. It would with a dispatcher such as `Unconfined` or `Main.immediate`, or with none.
 */
internal fun CoroutineContext.resumingLater(resume: () -> Unit) {
    val dispatcher = this[ContinuationInterceptor] as? CoroutineDispatcher
    if (dispatcher != null && dispatcher.isDispatchNeeded(this)) {
        resume()
    } else {
        Dispatchers.Default.dispatch(EmptyCoroutineContext) { resume() }
    }
}
