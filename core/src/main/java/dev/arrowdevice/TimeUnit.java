package dev.arrowdevice;

/** The units of time, timestamp and duration types. */
public enum TimeUnit {
    SECOND("s", 1L),
    MILLISECOND("ms", 1_000L),
    MICROSECOND("us", 1_000_000L),
    NANOSECOND("ns", 1_000_000_000L);

    private final String symbol;
    private final long perSecond;

    TimeUnit(String symbol, long perSecond) {
        this.symbol = symbol;
        this.perSecond = perSecond;
    }

    /** {@code s}, {@code ms}, {@code us} or {@code ns}. */
    public String symbol() {
        return symbol;
    }

    /** How many of this unit make one second. */
    public long perSecond() {
        return perSecond;
    }
}
