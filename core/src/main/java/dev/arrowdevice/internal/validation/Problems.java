package dev.arrowdevice.internal.validation;

import dev.arrowdevice.InvalidArrayException;

/** Where in a tree of arrays a problem lies. */
public final class Problems {
    private Problems() {}

    /** The same problem, seen from the parent of the array that has it. */
    public static InvalidArrayException within(String child, InvalidArrayException problem) {
        String path = problem.getPath();
        return new InvalidArrayException(path.isEmpty() ? child : child + "." + path, problem.getProblem());
    }
}
