/**
 * Databases over ADBC, "an API standard for database access libraries that uses Arrow for result sets and query
 * parameters". Begin with {@link dev.arrowdevice.adbc.AdbcDriver} or, in Kotlin, with {@code adbc("sqlite")}.
 */
@NullMarked
package dev.arrowdevice.adbc;

import org.jspecify.annotations.NullMarked;
