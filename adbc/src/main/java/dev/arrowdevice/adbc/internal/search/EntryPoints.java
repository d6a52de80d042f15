package dev.arrowdevice.adbc.internal.search;

import java.util.List;
import java.util.Locale;

/** The names of the function that initialises a driver, by the name of its library. */
final class EntryPoints {
    private static final String EVERY_DRIVER = "AdbcDriverInit";

    private EntryPoints() {}

    /**
     * As ADBC's driver manager does it: {@code libadbc_driver_sqlite.so} has {@code AdbcDriverSqliteInit},
     * {@code proprietary_engine.dll} has {@code AdbcProprietaryEngineInit}; then the name that every driver may have.
     * DuckDB's library has a name of its own.
     */
    static List<String> of(String library) {
        String file = library.substring(Math.max(library.lastIndexOf('/'), library.lastIndexOf('\\')) + 1);
        int dot = file.indexOf('.');
        String stem = dot < 0 ? file : file.substring(0, dot);
        if (stem.startsWith("lib")) {
            stem = stem.substring(3);
        }
        StringBuilder name = new StringBuilder();
        for (String word : stem.split("[-_]+")) {
            if (!word.isEmpty()) {
                name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
            }
        }
        String prefixed = name.indexOf("Adbc") == 0 ? name.toString() : "Adbc" + name;
        return stem.contains("duckdb")
                ? List.of("duckdb_adbc_init", prefixed + "Init", EVERY_DRIVER)
                : List.of(prefixed + "Init", EVERY_DRIVER);
    }
}
