import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs specs one after the other, in a JVM of their own, and writes a line for each. With {@code first} it ends with the
 * first failure, without any more ado; with {@code all} it runs all and writes the points that each reached.
 */
public final class Specs {
    private static final int KILLED = 1;
    private static final int TIMED_OUT = 3;

    private static volatile String running = "";
    private static volatile long deadline = Long.MAX_VALUE;

    private Specs() {}

    /** Arguments: {@code first} or {@code all}, the file to write, the file of specs: names and milliseconds each. */
    public static void main(String[] args) throws Exception {
        boolean first = args[0].equals("first");
        PrintWriter out = new PrintWriter(Files.newBufferedWriter(Path.of(args[1])), true);
        try {
            Thread watch = new Thread(() -> watch(out), "watch");
            watch.setDaemon(true);
            watch.start();
            Launcher launcher = LauncherFactory.create();
            for (String line : Files.readAllLines(Path.of(args[2]))) {
                String[] words = line.split(" ");
                long from = System.nanoTime();
                running = words[0];
                out.println("began " + running);
                deadline = from + Long.parseLong(words[1]) * 1_000_000;
                String failure = run(launcher, running, first ? out : null);
                deadline = Long.MAX_VALUE;
                long millis = (System.nanoTime() - from) / 1_000_000;
                out.println("spec " + running + ' ' + millis + ' ' + (failure == null ? "ok" : "failed")
                        + (first ? "" : Probe.take()));
            }
            out.println("survived");
        } catch (Throwable e) { // The engine itself failed.
            killed(out, running, e.toString());
        }
        Runtime.getRuntime().halt(0);
    }

    private static String run(Launcher launcher, String spec, PrintWriter killed) {
        AtomicReference<String> failure = new AtomicReference<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(spec))
                .build();
        launcher.execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    failure.set(test.getDisplayName());
                    if (killed != null) {
                        String cause = String.valueOf(result.getThrowable().orElse(null));
                        killed(killed, spec, test.getDisplayName() + ": " + cause);
                    }
                }
            }
        });
        return failure.get();
    }

    private static void killed(PrintWriter out, String spec, String cause) {
        out.println("killed " + spec + ": " + cause.replaceAll("\\s+", " ").replaceAll("^(.{200}).*", "$1…"));
        Runtime.getRuntime().halt(KILLED);
    }

    private static void watch(PrintWriter out) {
        while (true) {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
            if (System.nanoTime() > deadline) {
                out.println("timeout " + running);
                Runtime.getRuntime().halt(TIMED_OUT);
            }
        }
    }
}
