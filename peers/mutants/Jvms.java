import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Starts the JVMs that the specs of a module run in. */
final class Jvms {
    private final Path root;
    private final Path target;
    private final List<String> before;

    /**
     * @param target where everything is written
     * @param before the words of a command in front of each JVM, such as {@code nice}
     */
    Jvms(Path root, Path target, List<String> before) throws IOException {
        this.root = root;
        this.target = target;
        this.before = before;
        Path child = root.resolve("peers/mutants/child");
        Files.createDirectories(target.resolve("child"));
        int result = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", target.resolve("child").toString(),
                        "-cp", Files.readString(classPathFile("core")).strip(),
                        child.resolve("Probe.java").toString(), child.resolve("Specs.java").toString());
        if (result != 0) {
            throw new IllegalStateException("the classes for the JVMs don't compile");
        }
    }

    private Path classPathFile(String module) {
        return root.resolve(module).resolve("target/mutants.classpath");
    }

    /** The class path of a module's tests. */
    List<Path> classPath(String module) throws IOException {
        List<Path> entries = new ArrayList<>();
        entries.add(root.resolve(module).resolve("target/test-classes"));
        entries.add(root.resolve(module).resolve("target/classes"));
        for (String entry : Files.readString(classPathFile(module)).strip().split(":")) {
            entries.add(Path.of(entry));
        }
        return entries;
    }

    /** The specs of a module: all classes whose names end with {@code Test}. */
    List<String> specs(String module) throws IOException {
        Path classes = root.resolve(module).resolve("target/test-classes");
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(f -> classes.relativize(f).toString())
                    .filter(f -> f.endsWith("Test.class"))
                    .map(f -> f.substring(0, f.length() - 6).replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Runs specs with other classes in front of those of the module, and returns the lines that the JVM wrote. The last
     * is {@code crash} if it ended in another way than by itself.
     *
     * @param specs a line for each, with its limit in milliseconds
     * @param changed a folder of classes
     */
    List<String> run(String module, String mode, List<String> specs, Path changed) throws Exception {
        Path list = target.resolve("specs.txt");
        Path lines = target.resolve("lines.txt");
        Files.write(list, specs);
        Path output = target.resolve("output.txt");
        Files.deleteIfExists(lines);
        StringBuilder classPath = new StringBuilder(changed + ":" + target.resolve("child"));
        classPath(module).forEach(entry -> classPath.append(':').append(entry));
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Xmx1g",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-CreateCoredumpOnCrash",
                "-XX:ErrorFile=" + target.resolve("crash.log"),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-Dsun.misc.unsafe.memory.access=allow",
                "-cp",
                classPath.toString(),
                "Specs",
                mode,
                lines.toString(),
                list.toString()));
        Process process = new ProcessBuilder(command)
                .directory(root.resolve(module).toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(20, TimeUnit.MINUTES);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        List<String> written = new ArrayList<>(Files.exists(lines) ? Files.readAllLines(lines) : List.of());
        if (written.isEmpty()) {
            throw new IllegalStateException("the JVM did not start: " + Files.readString(output));
        }
        String last = written.isEmpty() ? "" : written.getLast();
        if (!ended) {
            written.add(last.replace("began", "timeout"));
        } else if (!last.equals("survived") && !last.startsWith("killed") && !last.startsWith("timeout")) {
            String reason = Files.readAllLines(output).stream()
                    .filter(line -> line.startsWith("#  SIG") || line.startsWith("#  Internal Error"))
                    .map(line -> line.substring(3).replaceAll(" .*", ""))
                    .findFirst()
                    .orElse("exit status " + process.exitValue());
            written.add("crash" + last.replace("began", "") + ": " + reason);
        }
        return written;
    }
}
