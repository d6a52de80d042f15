package dev.arrowdevice.peers

import dev.arrowdevice.Validation

/**
 * A valid array of the C peer with one thing spoiled, and a piece of what the refusal must say.
 *
 * @property name what is wrong, as a sentence
 * @property lowest the first level that refuses it. All above do, and all below accept it, so that no level does the
 *   work of another unseen.
 */
class Spoiled(
    val name: String,
    val field: PeerField,
    val message: String,
    val options: PeerOptions = PeerOptions.rows(7).withNullEvery(3),
    val lowest: Validation = Validation.NONE,
    val spoil: Structs.(schema: SchemaStruct, array: ArrayStruct) -> Unit,
)

/** The fields that most hostile variants are made of. */
object Fields {
    val int32 = PeerField.of("x", "i")
    val bool = PeerField.of("x", "b")
    val utf8 = PeerField.of("x", "u")
    val largeUtf8 = PeerField.of("x", "U")
    val utf8View = PeerField.of("x", "vu")
    val list = PeerField.of("x", "+l", PeerField.of("item", "i"))
    val largeList = PeerField.of("x", "+L", PeerField.of("item", "i"))
    val listView = PeerField.of("x", "+vl", PeerField.of("item", "i"))
    val largeListView = PeerField.of("x", "+vL", PeerField.of("item", "i"))
    val fixedList = PeerField.of("x", "+w:3", PeerField.of("item", "i"))
    val struct = PeerField.of("x", "+s", PeerField.of("a", "i"), PeerField.of("b", "u"))
    val nestedStruct = PeerField.of("x", "+s", PeerField.of("a", "+s", PeerField.of("b", "+s", PeerField.of("c", "i"))))
    val map = PeerField.map("x", PeerField.of("key", "u"), PeerField.of("value", "i"))
    val sparse = PeerField.of("x", "+us:5,7", PeerField.of("a", "i"), PeerField.of("b", "u"))
    val dense = PeerField.of("x", "+ud:5,7", PeerField.of("a", "i"), PeerField.of("b", "u"))
    val runs = PeerField.of("x", "+r", PeerField.of("run_ends", "i").notNull(), PeerField.of("values", "u"))
    val dictionary = PeerField.of("x", "c").withDictionary(PeerField.of("", "u"))
    val nothing = PeerField.of("x", "n")
    val batch = PeerField.batch(PeerField.of("id", "l").notNull(), PeerField.of("name", "u"))
}
