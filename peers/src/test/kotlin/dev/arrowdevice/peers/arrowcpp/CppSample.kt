package dev.arrowdevice.peers.arrowcpp

import dev.arrowdevice.ArrowType
import dev.arrowdevice.ExtensionType

/**
 * An array that Arrow C++ builds by itself, of a type with the names of the C data interface.
 *
 * @param type the type that the SDK must import
 * @param values the values that the SDK must read; bytes as text
 * @param make builds the array; the caller closes it
 */
class CppSample(
    val name: String,
    val type: ArrowType,
    val values: List<Any?>,
    val make: () -> CppArray,
) {
    override fun toString(): String = name
}

/** A sample that C++'s own builders make of a JSON array. */
internal fun json(
    name: String,
    spec: TypeSpec,
    json: String,
    type: ArrowType,
    values: List<Any?>,
) = CppSample(name, type, values) { CppArrays.fromJson(spec, json) }

/** A sample of an extension type that C++ knows. */
internal fun extension(
    type: ArrowType,
    serialized: String,
    storage: TypeSpec,
    json: String,
    values: List<Any?>,
): CppSample {
    val name = (type as ExtensionType).name()
    return CppSample(name, type, values) {
        closing(storage.extension(name, serialized).toCpp(), CppArrays.fromJson(storage, json)) { (cppType, array) ->
            CppArrays.extension(cppType as CppType, array as CppArray)
        }
    }
}

/** Closes the objects when the body is done with them. */
internal fun closing(
    vararg objects: CppObject,
    body: (List<CppObject>) -> CppArray,
): CppArray =
    try {
        body(objects.asList())
    } finally {
        objects.forEach { it.close() }
    }
