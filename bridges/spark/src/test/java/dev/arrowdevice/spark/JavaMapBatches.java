package dev.arrowdevice.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What a Java user writes. */
final class JavaMapBatches {
    private JavaMapBatches() {}

    static List<Long> lengths(SparkSession spark) {
        Dataset<Row> numbers = spark.range(0, 6, 1, 1).toDF("n");
        return SparkBatches.mapBatches(numbers, batch -> batch.slice(1, 3)).collectAsList().stream()
                .map(row -> row.getLong(0))
                .toList();
    }
}
