package dev.arrowdevice

import dev.arrowdevice.internal.type.Brief

/** The reader of a child. For a batch, `reader[0]` reads the first column. See [ArrayReader.child]. */
public operator fun ArrayReader.get(index: Int): ArrayReader = child(index)

/**
 * The reader of the first child with a name.
 *
 * @throws IllegalArgumentException if there is none; the message lists the names
 */
public operator fun ArrayReader.get(name: String): ArrayReader {
    val fields = type.storageType().children()
    val index = fields.indexOfFirst { it.name() == name }
    require(index >= 0) { "no child is named ${Brief.quoted(name)}; there are: ${Brief.names(fields)}" }
    return child(index)
}
