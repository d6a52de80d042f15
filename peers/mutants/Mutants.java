import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes the SDK's classes at one place at a time and runs the specs that reach it, until one fails. See
 * docs/testing.md; started by {@code peers/mutants/run}.
 */
public final class Mutants {
    private static final List<String> MODULES = List.of("core", "testkit", "peers", "coroutines");
    /** What all specs of one mutant may take without it. The longest are left out, and the result says so. */
    private static final long MOST_MILLIS = 60_000;

    private final Path root = Path.of("").toAbsolutePath();
    private final Path here = root.resolve("peers/mutants");
    private final Path target = root.resolve("peers/target/mutants");
    private final Map<String, String> results = new LinkedHashMap<>();
    private final Jvms jvms;
    private final ClassFiles classes;
    private final List<Point> all = new ArrayList<>();
    private Coverage coverage;

    private Mutants(String before) throws IOException {
        Files.createDirectories(target);
        jvms = new Jvms(root, target, before.isEmpty() ? List.of() : List.of(before.split(" ")));
        classes = new ClassFiles(
                List.of(root.resolve("core"), root.resolve("coroutines")), jvms.classPath("coroutines"));
        String group = "";
        for (String line : lines("classes.txt")) {
            if (line.startsWith("[")) {
                group = line.substring(1, line.length() - 1);
            } else {
                for (String owner : classes.named(line)) {
                    all.addAll(classes.points(group, owner));
                }
            }
        }
        Path kept = target.resolve("results.txt");
        if (Files.exists(kept)) {
            Files.readAllLines(kept).forEach(line -> results.put(line.split("\t")[0], line.split("\t")[1]));
        }
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (String arg : args) {
            String[] parts = arg.replaceFirst("^--", "").split("=", 2);
            options.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        Set<String> unknown = new TreeSet<>(options.keySet());
        unknown.removeAll(Set.of("number", "seed", "groups", "only", "again", "before", "points"));
        if (!unknown.isEmpty()) {
            System.err.println("no such option: " + unknown + "; see docs/testing.md");
            System.exit(2);
        }
        Mutants mutants = new Mutants(options.getOrDefault("before", ""));
        int number = Integer.parseInt(options.getOrDefault("number", "300"));
        List<Point> picked = mutants.pick(number, Long.parseLong(options.getOrDefault("seed", "21")),
                options.containsKey("groups") ? Set.of(options.get("groups").split(",")) : Set.of());
        if (options.containsKey("points")) {
            mutants.all.forEach(p -> System.out.println(p.id() + " line " + p.line() + ": " + p.what()));
            return;
        }
        if (options.containsKey("only")) {
            String part = options.get("only");
            picked = mutants.all.stream().filter(p -> p.id().contains(part)).toList();
        }
        if (options.containsKey("again")) {
            picked = mutants.all.stream()
                    .filter(p -> !mutants.results.getOrDefault(p.id(), "killed").startsWith("killed"))
                    .toList();
        }
        mutants.run(picked, options.containsKey("again") || options.containsKey("only"));
        if (!options.containsKey("only")) {
            List<Point> reported =
                    mutants.all.stream().filter(p -> mutants.results.containsKey(p.id())).toList();
            boolean explained = Report.write(mutants.here, reported, mutants.results);
            System.exit(explained ? 0 : 1);
        }
    }

    /**
     * The same share of each group, of the groups in turn. Which mutants are picked depends on their names alone, so
     * that most stay the same when the code changes.
     */
    private List<Point> pick(int number, long seed, Set<String> chosen) {
        Map<String, List<Point>> groups =
                all.stream().collect(Collectors.groupingBy(Point::group, LinkedHashMap::new, Collectors.toList()));
        int share = number / groups.size();
        groups.keySet().removeIf(group -> !chosen.isEmpty() && !chosen.contains(group));
        groups.values().forEach(group -> group.sort(
                Comparator.comparingLong(p -> new Random(seed ^ (long) p.id().hashCode() << 16).nextLong())));
        List<Point> picked = new ArrayList<>();
        for (int i = 0; i < share; i++) {
            for (List<Point> group : groups.values()) {
                if (i < group.size()) {
                    picked.add(group.get(i));
                }
            }
        }
        return picked;
    }

    private void run(List<Point> picked, boolean again) throws Exception {
        coverage = new Coverage(root, target, MODULES, Set.copyOf(lines("left-out.txt")), classes, all, jvms);
        int done = 0;
        for (Point point : picked) {
            done++;
            if (results.containsKey(point.id()) && !again) {
                continue;
            }
            long from = System.nanoTime();
            String result = result(point);
            results.put(point.id(), result);
            Files.writeString(target.resolve("results.txt"), point.id() + "\t" + result + "\n",
                    StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            System.out.println(done + "/" + picked.size() + " " + point.id() + " line " + point.line() + " ("
                    + point.what() + "), " + (System.nanoTime() - from) / 1_000_000_000 + " s: " + result);
        }
    }

    private String result(Point point) throws Exception {
        Path folder = target.resolve("changed");
        clear(folder);
        if (!classes.writeMutant(point, folder)) {
            return "impossible: the JVM would refuse the class";
        }
        List<Coverage.Spec> reaching = coverage.reaching(all.indexOf(point));
        if (reaching.isEmpty()) {
            return "survived: no spec reaches it";
        }
        long millis = 0;
        List<Coverage.Spec> taken = new ArrayList<>();
        for (Coverage.Spec spec : reaching) {
            millis += spec.millis();
            if (millis < MOST_MILLIS || taken.isEmpty()) {
                taken.add(spec);
            }
        }
        for (String module : MODULES) {
            List<String> lines = taken.stream()
                    .filter(s -> s.module().equals(module))
                    .map(Coverage.Spec::line)
                    .toList();
            if (!lines.isEmpty()) {
                String last = jvms.run(module, "first", lines, folder).getLast();
                if (!last.equals("survived")) {
                    return last.startsWith("killed ") ? "killed: " + last.substring(7) : last.replaceFirst(" ", ": ");
                }
            }
        }
        return "survived: " + taken.size() + " specs"
                + (taken.size() < reaching.size() ? " of " + reaching.size() : "");
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(here.resolve(name)).stream()
                .map(line -> line.replaceFirst("#.*", "").strip())
                .filter(line -> !line.isEmpty())
                .toList();
    }

    private static void clear(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
