package dev.arrowdevice.peers

import dev.arrowdevice.CArrayStreamStruct
import dev.arrowdevice.CArrayStruct
import dev.arrowdevice.CSchemaStruct
import dev.arrowdevice.CStruct
import java.io.IOException

/** A block for the functions that Java calls: Kotlin's inline functions have code of their own. */
fun arrayBlock(block: (CArrayStruct, CSchemaStruct) -> Unit) =
    CStruct.BlockWithSchema<CArrayStruct, IOException> { array, schema -> block(array, schema) }

fun streamBlock(block: (CArrayStreamStruct) -> Unit) = CStruct.Block<CArrayStreamStruct, IOException> { block(it) }

fun schemaBlock(block: (CSchemaStruct) -> Unit) = CStruct.Block<CSchemaStruct, IOException> { block(it) }
