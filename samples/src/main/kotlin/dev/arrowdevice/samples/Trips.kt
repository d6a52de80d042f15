package dev.arrowdevice.samples

import dev.arrowdevice.RecordBatch
import dev.arrowdevice.recordBatch
import java.math.BigDecimal

/** Who wants to go where, by when and with whom; a null among the carriers and times: any will do. */
internal fun trips(): RecordBatch =
    recordBatch {
        column<String>("traveller", nullable = false)
        column<String>("destination", nullable = false)
        column<Short>("earliest")
        column<Short>("latest")
        list<String>("carriers")
        decimal("hour_value", precision = 6, scale = 2)
        row("Ada", "ORD", 600, 1000, listOf("UA", "AA"), BigDecimal("85.00"))
        row("Alan", "LAX", 1500, null, null, BigDecimal("120.50"))
        row("Barbara", "BOS", 1700, 2000, null, BigDecimal("99.90"))
        row("Edsger", "MIA", 700, 1200, listOf("WN"), BigDecimal("60.00"))
        row("Grace", "SFO", null, null, listOf("VX", "B6", "DL"), null)
    }

/** For each of the [trips], the flight that is in time most often. */
internal const val BEST_FLIGHTS = """
    WITH options AS (
        SELECT t.traveller, t.destination, t.hour_value, f.carrier, f.origin, f.sched_dep_time // 100 AS hour,
               count(f.flight) AS flights,
               avg(coalesce(f.arr_delay <= 30, false)::INT) FILTER (WHERE f.flight IS NOT NULL) AS in_time,
               avg(greatest(f.arr_delay, 0)) FILTER (WHERE f.arr_delay IS NOT NULL) AS delay
        FROM trips t
        LEFT JOIN flights f
               ON f.dest = t.destination
              AND (t.carriers IS NULL OR list_contains(t.carriers, f.carrier))
              AND f.sched_dep_time BETWEEN coalesce(t.earliest, 0) AND coalesce(t.latest, 2359)
        GROUP BY ALL
        HAVING count(f.flight) = 0 OR count(f.flight) >= 100
    )
    SELECT o.traveller, p.name AS destination, a.name AS airline, o.origin, o.hour, o.flights,
           round(100 * o.in_time, 1) AS in_time_pct,
           (o.hour_value * o.delay::DECIMAL(8, 4) / 60)::DECIMAL(9, 2) AS delay_cost
    FROM options o
    JOIN airports p ON p.faa = o.destination
    LEFT JOIN airlines a USING (carrier)
    QUALIFY row_number() OVER (PARTITION BY o.traveller ORDER BY o.in_time DESC, o.carrier, o.origin, o.hour) = 1
    ORDER BY o.traveller
"""
