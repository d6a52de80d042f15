package dev.arrowdevice;

/**
 * A value of the day-time interval type: days and milliseconds, which are independent ("a day may have 23 or 25 hours").
 */
public record DayTimeInterval(int days, int milliseconds) {}
