package dev.arrowdevice.coroutines

import kotlinx.coroutines.flow.Flow

/** The library's operator, which is newer than the release that this module is compiled against. */
@Suppress("UNCHECKED_CAST")
internal fun <T> Flow<T>.chunked(size: Int): Flow<List<T>> =
    Class
        .forName("kotlinx.coroutines.flow.FlowKt")
        .getMethod("chunked", Flow::class.java, Int::class.java)
        .invoke(null, this, size) as Flow<List<T>>
