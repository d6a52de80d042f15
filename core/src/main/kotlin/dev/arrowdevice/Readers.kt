package dev.arrowdevice

/** The reader of a child. For a batch, `reader[0]` reads the first column. See [ArrayReader.child]. */
public operator fun ArrayReader.get(index: Int): ArrayReader = child(index)

/**
 * The reader of the first child with a name.
 *
 * @throws IllegalArgumentException if there is none; the message lists the names
 */
public operator fun ArrayReader.get(name: String): ArrayReader {
    val names = type.storageType().children().map { it.name() }
    val index = names.indexOf(name)
    require(index >= 0) { "no child is named \"$name\"; there are: ${names.joinToString()}" }
    return child(index)
}
