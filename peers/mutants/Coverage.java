import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Which specs reach which points, and how long they take. It is kept, and measured again for specs that changed. */
final class Coverage {
    /** A spec that succeeds without any mutant. */
    record Spec(String module, String name, long millis, BitSet points) {
        /** A spec of a mutant may be this much slower: its JVM is cold, and the machine has other work. */
        String line() {
            return name + " " + (millis * 6 + 30_000);
        }
    }

    private final List<Spec> specs = new ArrayList<>();

    Coverage(Path root, Path target, List<String> modules, Set<String> left, ClassFiles classes, List<Point> all, Jvms jvms)
            throws Exception {
        Path kept = target.resolve("coverage.txt");
        Map<String, String> lines = new TreeMap<>();
        String version = checksum(all.stream().map(p -> p.id() + p.place()).toList().toString().getBytes());
        if (Files.exists(kept)) {
            for (String line : Files.readAllLines(kept)) {
                String[] words = line.split(" ", 4);
                if (words[0].equals(version)) {
                    lines.put(words[1] + " " + words[2], words[3]);
                }
            }
        }
        Path probed = target.resolve("probed");
        for (String owner : all.stream().map(Point::owner).distinct().toList()) {
            classes.writeProbed(owner, all, probed);
        }
        Map<String, String> now = new TreeMap<>();
        for (String module : modules) {
            Map<String, String> sums = new TreeMap<>();
            for (String spec : jvms.specs(module)) {
                if (!left.contains(spec.replaceAll(".*\\.", ""))) {
                    sums.put(spec, module + " " + spec + "@" + checksum(root.resolve(module), spec));
                }
            }
            List<String> needed =
                    sums.keySet().stream().filter(s -> !lines.containsKey(sums.get(s))).toList();
            List<String> again = needed;
            while (!again.isEmpty()) {
                System.out.println(module + ": " + again.size() + " specs without mutants");
                List<String> ran = jvms.run(module, "all", again.stream().map(s -> s + " 600000").toList(), probed);
                for (String line : ran) {
                    String[] words = line.split(" ", 4);
                    if (words[0].equals("spec")) {
                        lines.put(sums.get(words[1]), words[2] + " " + words[3]);
                    }
                }
                String last = ran.getLast();
                if (last.equals("survived")) {
                    break;
                }
                int ended = again.indexOf(ran.stream().filter(l -> l.startsWith("began")).toList().getLast().substring(6));
                System.out.println("  " + last);
                lines.put(sums.get(again.get(ended)), "0 failed");
                again = again.subList(ended + 1, again.size());
            }
            sums.values().forEach(key -> now.put(key, lines.getOrDefault(key, "0 failed")));
        }
        Files.write(kept, now.entrySet().stream()
                .map(e -> version + " " + e.getKey() + " " + e.getValue())
                .toList());
        now.forEach(this::read);
        specs.sort(Comparator.comparingLong(Spec::millis));
    }

    private void read(String key, String line) {
        String[] of = key.replaceFirst("@.*", "").split(" ");
        String[] words = line.split(" ");
        if (!words[1].equals("ok")) {
            System.out.println("left out, because it fails without mutants: " + of[1]);
            return;
        }
        BitSet points = new BitSet();
        for (int i = 2; i < words.length; i++) {
            points.set(Integer.parseInt(words[i]));
        }
        specs.add(new Spec(of[0], of[1], Long.parseLong(words[0]), points));
    }

    /** The specs that reach a point, the fastest first. */
    List<Spec> reaching(int point) {
        return specs.stream().filter(s -> s.points().get(point)).toList();
    }

    /** Of the classes of a spec, which are in files that begin with its name. */
    private static String checksum(Path module, String spec) throws IOException {
        Path file = module.resolve("target/test-classes").resolve(spec.replace('.', '/') + ".class");
        String name = spec.replaceAll(".*\\.", "");
        CRC32 sum = new CRC32();
        try (Stream<Path> files = Files.list(file.getParent())) {
            for (Path f : files.filter(f -> f.getFileName().toString().matches(name + "(Kt)?(\\$.*)?\\.class"))
                    .sorted()
                    .toList()) {
                sum.update(Files.readAllBytes(f));
            }
        }
        return Long.toHexString(sum.getValue());
    }

    private static String checksum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return Long.toHexString(sum.getValue());
    }
}
