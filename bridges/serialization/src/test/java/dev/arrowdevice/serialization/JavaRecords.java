package dev.arrowdevice.serialization;

import dev.arrowdevice.RecordBatch;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import kotlinx.serialization.SerialName;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Records, and calls as Java makes them. */
final class JavaRecords {
    private JavaRecords() {}

    enum Level {
        LOW,
        HIGH
    }

    record Place(String city, int zip) {}

    record Primitives(boolean a, byte b, short c, int d, long e, float f, double g, char h) {}

    @NullMarked
    record Sale(
            long id,
            @ColumnName("customer_name") String customer,
            @Nullable String note,
            @Nullable Integer count,
            Level level,
            Place place,
            List<Place> stops,
            Map<String, @Nullable Long> stock,
            @DecimalDigits(precision = 10, scale = 2) BigDecimal price,
            Instant at,
            @Nullable LocalDate due,
            UUID key) {}

    record Loose(String text, @NonNull String certain, List<Integer> numbers) {}

    /** What an annotation forbids and Java allows. */
    @SuppressWarnings("NullAway")
    static Loose uncertain() {
        return new Loose("a", null, List.of());
    }

    @NullMarked
    record Tour(List<Long> stops) {}

    /** Lists with a null where annotations forbid one: in a list of a row, and as a row. */
    @SuppressWarnings("NullAway")
    static List<List<Tour>> toursWithNulls() {
        Tour tour = new Tour(List.of(1L));
        return List.of(Arrays.asList(tour, new Tour(Arrays.asList(2L, null))), Arrays.asList(tour, null));
    }

    sealed interface Event permits Opened, Final {}

    sealed interface Final extends Event permits Closed {}

    @SerialName("opened")
    record Opened(int by) implements Event {}

    record Closed(int by, String why) implements Final {}

    record Logged(long id, Event event) {}

    record Knot(String name, List<Knot> knots) {}

    record Strict(int id) {
        Strict {
            if (id < 1) {
                throw new IllegalArgumentException("ids begin at 1");
            }
        }
    }

    record Odd(Object anything) {}

    /** As a program in Java would. */
    static <T> List<T> backAndForth(List<T> rows, Class<T> type) {
        Objects.requireNonNull(rows);
        try (RecordBatch batch = Rows.toBatch(rows, type)) {
            return Rows.toList(batch, type);
        }
    }
}
