package dev.arrowdevice.testkit;

import java.lang.invoke.MethodHandle;

/** Downcalls by shape. Their handles throw nothing of their own; whatever comes is passed on unchanged. */
final class Calls {
    private Calls() {}

    static int one(MethodHandle function, long first) {
        try {
            return (int) function.invokeExact(first);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static int two(MethodHandle function, long first, long second) {
        try {
            return (int) function.invokeExact(first, second);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static int three(MethodHandle function, long first, long second, long third) {
        try {
            return (int) function.invokeExact(first, second, third);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static int four(MethodHandle function, long first, long second, long third, long fourth) {
        try {
            return (int) function.invokeExact(first, second, third, fourth);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static int five(MethodHandle function, long first, long second, long third, long fourth, long fifth) {
        try {
            return (int) function.invokeExact(first, second, third, fourth, fifth);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static void run(MethodHandle function) {
        try {
            function.invokeExact();
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static void run(MethodHandle function, long first) {
        try {
            function.invokeExact(first);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static void run(MethodHandle function, long first, long second) {
        try {
            function.invokeExact(first, second);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static long longOf(MethodHandle function) {
        try {
            return (long) function.invokeExact();
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static long longOf(MethodHandle function, long first) {
        try {
            return (long) function.invokeExact(first);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    static long longOf(MethodHandle function, long first, long second) {
        try {
            return (long) function.invokeExact(first, second);
        } catch (Throwable e) {
            throw passOn(e);
        }
    }

    private static RuntimeException passOn(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return thrown instanceof RuntimeException ? (RuntimeException) thrown : new CPeerException("" + thrown, thrown);
    }
}
