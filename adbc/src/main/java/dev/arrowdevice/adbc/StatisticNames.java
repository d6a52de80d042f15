package dev.arrowdevice.adbc;

import java.util.HashMap;
import java.util.Map;

/** The keys of statistics that the specification names. */
final class StatisticNames {
    private static final Map<Integer, String> STANDARD = Map.of(
            0, "adbc.statistic.byte_width",
            1, "adbc.statistic.distinct_count",
            2, "adbc.statistic.max_byte_width",
            3, "adbc.statistic.max_value",
            4, "adbc.statistic.min_value",
            5, "adbc.statistic.null_count",
            6, "adbc.statistic.row_count");

    private StatisticNames() {}

    /** These, and those of a driver. */
    static Map<Integer, String> all(Map<Integer, String> ofDriver) {
        Map<Integer, String> all = new HashMap<>(ofDriver);
        all.putAll(STANDARD);
        return all;
    }
}
