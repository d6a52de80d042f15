package dev.arrowdevice.peers;

import java.util.ArrayList;
import java.util.List;

/** One field for every type of the Arrow columnar format, by format string, for tests that want them all. */
public final class PeerCatalogue {
    private static final List<String> FLAT = List.of(
            "n",
            "b",
            "c",
            "C",
            "s",
            "S",
            "i",
            "I",
            "l",
            "L",
            "e",
            "f",
            "g",
            "d:9,2,32",
            "d:18,4,64",
            "d:38,10",
            "d:76,-3,256",
            "u",
            "U",
            "vu",
            "z",
            "Z",
            "vz",
            "w:7",
            "tdD",
            "tdm",
            "tts",
            "ttm",
            "ttu",
            "ttn",
            "tss:",
            "tsm:",
            "tsu:",
            "tsn:",
            "tss:UTC",
            "tsm:Europe/Berlin",
            "tsu:+05:30",
            "tsn:America/New_York",
            "tDs",
            "tDm",
            "tDu",
            "tDn",
            "tiM",
            "tiD",
            "tin");

    private PeerCatalogue() {}

    /** Types without children. */
    public static List<PeerField> flat() {
        return FLAT.stream().map(format -> PeerField.of("x", format)).toList();
    }

    /** Types with children, dictionaries and nesting of several levels. */
    public static List<PeerField> nested() {
        List<PeerField> fields = new ArrayList<>();
        for (String list : List.of("+l", "+L", "+vl", "+vL", "+w:3")) {
            fields.add(PeerField.of("x", list, PeerField.of("item", "i")));
            fields.add(PeerField.of("x", list, PeerField.of("item", "u")));
        }
        fields.add(PeerField.of("x", "+w:0", PeerField.of("item", "i")));
        fields.add(PeerField.of("x", "+s"));
        fields.add(pair("+s"));
        fields.add(PeerField.map("x", PeerField.of("key", "u"), PeerField.of("value", "i")));
        fields.add(PeerField.map("x", PeerField.of("key", "i"), PeerField.of("value", "u"))
                .keysSorted());
        fields.add(pair("+us:0,1"));
        fields.add(pair("+us:5,127"));
        fields.add(pair("+ud:0,1"));
        fields.add(pair("+ud:127,5"));
        for (String ends : List.of("s", "i", "l")) {
            fields.add(PeerField.of("x", "+r", PeerField.of("run_ends", ends).notNull(), PeerField.of("values", "u")));
        }
        for (String index : List.of("c", "C", "s", "S", "i", "I", "l", "L")) {
            fields.add(PeerField.of("x", index).withDictionary(PeerField.of("", "u")));
        }
        fields.add(PeerField.of("x", "c").ordered().withDictionary(PeerField.of("", "l")));
        fields.add(PeerField.of("x", "i").withDictionary(PeerField.of("", "+l", PeerField.of("item", "vu"))));
        fields.add(deep());
        return List.copyOf(fields);
    }

    /** All of them. */
    public static List<PeerField> all() {
        List<PeerField> fields = new ArrayList<>(flat());
        fields.addAll(nested());
        return List.copyOf(fields);
    }

    private static PeerField pair(String format) {
        return PeerField.of("x", format, PeerField.of("a", "i"), PeerField.of("b", "u"));
    }

    private static PeerField deep() {
        PeerField words = PeerField.of("words", "s").withDictionary(PeerField.of("", "U"));
        PeerField runs =
                PeerField.of("runs", "+r", PeerField.of("run_ends", "i").notNull(), PeerField.of("values", "d:20,5"));
        PeerField row = PeerField.of("row", "+s", words, runs, PeerField.of("flag", "b"));
        PeerField lists = PeerField.of("lists", "+l", PeerField.of("item", "+L", row));
        return PeerField.of("x", "+s", lists, PeerField.of("either", "+ud:3,4", PeerField.of("a", "vz"), pair("+s")));
    }
}
