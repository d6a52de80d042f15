/**
 * The part of an exchange with the CPython in the same process that can't be written in Python:
 * {@link dev.arrowdevice.python.PythonInterpreter}. The Python package {@code arrow_device} is made on top of it.
 */
@NullMarked
package dev.arrowdevice.python;

import org.jspecify.annotations.NullMarked;
