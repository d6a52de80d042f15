package dev.arrowdevice

// What the imports with a block are made of; in Java, ImportBlocks.

/** Calls [block] with the struct, then closes it. Until the block ends the memory is there, even if it closes the struct. */
@PublishedApi
internal inline fun <S : CStruct, R> S.lend(block: (struct: S) -> R): R =
    use {
        beginBlock()
        try {
            block(it)
        } finally {
            endBlock()
        }
    }

@PublishedApi
internal fun CStruct.beginBlock() {
    beginUse()
}

@PublishedApi
internal fun CStruct.endBlock(): Unit = endUse()

/** Returns the struct, or throws if the block has not filled it. */
@PublishedApi
internal fun <S : CStruct> S.filled(operation: String): S =
    apply {
        check(isLive) {
            val what = capsuleName.removePrefix("arrow_").replace('_', ' ')
            "$operation: the block ended without filling the struct of the $what"
        }
    }

/** Imports what [fill] writes to the struct, and closes the struct. */
@PublishedApi
internal inline fun <S : CStruct, R> S.importFilled(
    operation: String,
    fill: (struct: S) -> Unit,
    import: (struct: S) -> R,
): R =
    lend {
        fill(it)
        import(it.filled(operation))
    }

/** Imports what [fill] writes to the struct and to one for a schema, and closes both. */
@PublishedApi
internal inline fun <S : CStruct, R> S.importFilledWithSchema(
    operation: String,
    fill: (struct: S, schema: CSchemaStruct) -> Unit,
    import: (struct: S, schema: CSchemaStruct) -> R,
): R =
    lend { struct ->
        CStruct.schema().lend { schema ->
            fill(struct, schema)
            import(struct.filled(operation), schema.filled(operation))
        }
    }
