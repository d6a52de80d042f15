package dev.arrowdevice;

/** A value of the month-day-nano interval type; the three parts are independent and may differ in sign. */
public record MonthDayNanoInterval(int months, int days, long nanoseconds) {}
