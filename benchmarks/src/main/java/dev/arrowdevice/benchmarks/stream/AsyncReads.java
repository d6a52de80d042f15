package dev.arrowdevice.benchmarks.stream;

import dev.arrowdevice.benchmarks.Outcome;
import dev.arrowdevice.peers.CPeer;
import dev.arrowdevice.peers.PeerAsyncConsumer;
import dev.arrowdevice.peers.PeerAsyncHabit;
import dev.arrowdevice.peers.PeerAsyncOptions;
import dev.arrowdevice.peers.PeerAsyncProducer;
import dev.arrowdevice.peers.PeerField;
import dev.arrowdevice.peers.PeerOptions;
import dev.arrowdevice.testkit.ReleaseBalance;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An async stream of the tests' peer in C, whose thread sends, from its beginning to the release of its handler. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class AsyncReads {
    private static final PeerField FIELD = PeerField.batch(PeerField.of("n", "i"));
    private static final PeerOptions BATCH = PeerOptions.rows(Streams.ROWS);

    @Param("100")
    public int batches;

    /** How many batches may be under way. */
    @Param("4")
    public int window;

    private CPeer peer;
    private ReleaseBalance balance;
    private long result;

    @Setup
    public void load() {
        peer = CPeer.load();
        balance = ReleaseBalance.start(peer);
    }

    @TearDown
    public void check() {
        balance.verify();
        Outcome.require(batches, result);
    }

    @Benchmark
    public long collect() {
        try (PeerAsyncProducer producer = producer()) {
            result = Flows.asyncBatches(window, producer);
            producer.await(PeerAsyncProducer.Count.RELEASES, 1);
            return result;
        }
    }

    /** By a consumer in C that takes each batch within the call that sends it, and reads it. */
    @Benchmark
    public long inC() {
        PeerAsyncConsumer.Options options = PeerAsyncConsumer.Options.requesting(window)
                .with(PeerAsyncHabit.EXTRACTS_INLINE, PeerAsyncHabit.REQUESTS_INLINE);
        try (PeerAsyncConsumer consumer = new PeerAsyncConsumer(peer, options);
                PeerAsyncProducer producer = producer()) {
            producer.start(consumer.handler());
            producer.await(PeerAsyncProducer.Count.RELEASES, 1);
            return result = consumer.count(PeerAsyncConsumer.Count.EXTRACTED);
        }
    }

    private PeerAsyncProducer producer() {
        return new PeerAsyncProducer(peer, FIELD, BATCH, PeerAsyncOptions.batches(batches));
    }
}
