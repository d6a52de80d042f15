package dev.arrowdevice.benchmarks.database;

import dev.arrowdevice.peers.CPeer;
import dev.arrowdevice.spi.NativeLibrary;
import dev.arrowdevice.testkit.CCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A connection of an ADBC driver, whose functions C calls: the least that a query can cost. See {@code c_adbc.c}. */
final class CAdbc implements AutoCloseable {
    /** The functions of {@code c_adbc.c}; pointers are {@code long}. */
    interface Functions {
        long c_adbc_open(long init);

        long c_adbc_query(long connection, long sql);

        void c_adbc_close(long connection);
    }

    private static final Functions C =
            library().bind(MethodHandles.lookup(), Functions.class).getCalls();

    private final Arena texts = Arena.ofShared();
    private final long sql;
    private final long connection;

    /** Connects to a database in memory. */
    CAdbc(Path driver, String entryPoint, String sql) {
        NativeLibrary library =
                NativeLibrary.search("the ADBC driver").files(List.of(driver)).open();
        this.sql = texts.allocateFrom(sql).address();
        this.connection = C.c_adbc_open(library.address(entryPoint));
        if (connection == 0) {
            throw new IllegalStateException(driver + " refuses to connect");
        }
    }

    /** Makes a statement, executes it, reads its result to the end and releases both; returns the number in the first row. */
    long query() {
        return C.c_adbc_query(connection, sql);
    }

    @Override
    public void close() {
        C.c_adbc_close(connection);
        texts.close();
    }

    private static NativeLibrary library() {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("arrow_abi.h", source(CPeer.class, "c/arrow_abi.h"));
        sources.put("c_adbc.c", source(CAdbc.class, "c_adbc.c"));
        Path library = CCompiler.find(System.getenv())
                .sharedLibrary("benchmarks", "libadbcbenchmarks.so", sources, List.of("-O2"));
        return NativeLibrary.search("the benchmarks in C")
                .files(List.of(library))
                .open();
    }

    private static String source(Class<?> beside, String name) {
        try (InputStream in = beside.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
