import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Writes report.md: what became of the mutants of each class, and a sentence for each that survived. */
final class Report {
    private static final List<String> ENDS = List.of("killed", "timeout", "crash", "survived");

    private Report() {}

    /** Returns whether each survivor has its sentence in explained.txt. */
    static boolean write(Path here, List<Point> picked, Map<String, String> results) throws IOException {
        Map<String, String> sentences = new TreeMap<>();
        for (String line : Files.readAllLines(here.resolve("explained.txt"))) {
            if (line.contains(": ")) {
                sentences.put(line.substring(0, line.indexOf(": ")), line.substring(line.indexOf(": ") + 2));
            }
        }
        List<Point> points = picked.stream().filter(p -> !end(p, results).equals("impossible")).toList();
        StringBuilder text = new StringBuilder("# Mutants\n\n");
        text.append("Written by `peers/mutants/run`; see [docs/testing.md](../../docs/testing.md#mutants). Of ")
                .append(points.size()).append(" mutants ").append(count(points, results, "killed"))
                .append(" made a test fail, ").append(count(points, results, "timeout"))
                .append(" made one hang, ").append(count(points, results, "crash"))
                .append(" ended the JVM, and ").append(count(points, results, "survived")).append(" survived.\n");
        Map<String, Map<String, List<Point>>> groups = new LinkedHashMap<>();
        for (Point p : points) {
            groups.computeIfAbsent(p.group(), g -> new TreeMap<>())
                    .computeIfAbsent(p.source(), c -> new java.util.ArrayList<>())
                    .add(p);
        }
        text.append("\n| class | mutants | killed | by time-out | by crash | survived |\n|---|--:|--:|--:|--:|--:|\n");
        groups.forEach((group, classes) -> {
            row(text, "**" + group + "**", classes.values().stream().flatMap(List::stream).toList(), results);
            classes.forEach((name, of) -> row(text, "`" + name + "`", of, results));
        });
        boolean explained = true;
        text.append("\n## Survivors\n\n| mutant | change | why |\n|---|---|---|\n");
        for (Point p : points) {
            if (end(p, results).equals("survived")) {
                String sentence = sentences.get(p.id());
                explained &= sentence != null;
                text.append("| `").append(p.id()).append("` | ").append(p.what()).append(" | ")
                        .append(sentence == null ? "**not explained**, " + results.get(p.id()) : sentence)
                        .append(" |\n");
            }
        }
        text.append("\n## Killed by a time-out or a crash\n\n| mutant | change | |\n|---|---|---|\n");
        for (Point p : points) {
            if (end(p, results).equals("timeout") || end(p, results).equals("crash")) {
                text.append("| `").append(p.id()).append("` | ").append(p.what()).append(" | ")
                        .append(results.get(p.id())).append(" |\n");
            }
        }
        Files.writeString(here.resolve("report.md"), text);
        System.out.println(text.substring(0, text.indexOf("\n\n|")));
        return explained;
    }

    private static void row(StringBuilder text, String name, List<Point> points, Map<String, String> results) {
        text.append("| ").append(name).append(" | ").append(points.size());
        for (String end : ENDS) {
            long count = count(points, results, end);
            text.append(" | ").append(count == 0 ? "" : String.valueOf(count));
        }
        text.append(" |\n");
    }

    private static long count(List<Point> points, Map<String, String> results, String end) {
        return points.stream().filter(p -> end(p, results).equals(end)).count();
    }

    private static String end(Point point, Map<String, String> results) {
        return results.get(point.id()).replaceFirst(":.*", "");
    }
}
