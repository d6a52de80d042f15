package dev.arrowdevice.internal.validation;

import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.internal.type.Brief;

/** The place of a problem in a tree of arrays. */
public final class Problems {
    private Problems() {}

    /** The same problem, seen from the parent of the array that has it. */
    public static InvalidArrayException within(String child, InvalidArrayException problem) {
        String path = problem.getPath();
        String name = Brief.text(child);
        return new InvalidArrayException(path.isEmpty() ? name : name + "." + path, problem.getProblem());
    }
}
