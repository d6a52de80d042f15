package dev.arrowdevice.spi;

import dev.arrowdevice.internal.binding.BoundClass;
import dev.arrowdevice.internal.binding.Downcalls;
import dev.arrowdevice.internal.memory.Platform;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Native functions as a Java interface: each abstract method calls the function of the same name.
 *
 * <table>
 * <caption>The types of a method say those of the function</caption>
 * <tr><th>Java</th><th>C</th></tr>
 * <tr><td>{@code long}</td><td>a pointer, {@code size_t}, {@code int64_t}</td></tr>
 * <tr><td>{@code int}</td><td>{@code int}, {@code unsigned}, an {@code enum}, {@code int32_t}</td></tr>
 * <tr><td>{@code short}, {@code byte}</td><td>16 and 8 bits</td></tr>
 * <tr><td>{@code boolean}</td><td>{@code bool}</td></tr>
 * <tr><td>{@code float}, {@code double}</td><td>the same</td></tr>
 * <tr><td>{@code void}</td><td>the same</td></tr>
 * </table>
 *
 * <p>A struct that a function returns by value is written to memory of the caller; see {@link StructResult}. Structs as
 * arguments and variadic functions are not supported. The interface may be package-private and may have
 * default and static methods. It must not be generic, nor have two functions of the same name.
 *
 * <p><b>Speed.</b> A call takes a few nanoseconds, like an {@code invokeExact} on a constant handle, if the object is
 * in a {@code static final} field or the JIT compiler sees one implementation of the interface.
 *
 * <p><b>Errors.</b> Types are not checked against the library: a call of a wrongly declared method may crash the
 * process. A call of a missing function throws {@link NativeLibraryException}; {@link #has} and {@link #missing} check
 * for that before. A call throws nothing else.
 *
 * <p><b>Threads.</b> All methods may be called from any thread, and so may the functions if the library allows it.
 * Meanwhile other threads and the garbage collector continue.
 *
 * @param <T> the interface
 */
public final class NativeFunctions<T> {
    private final Map<String, String> whyMissing;
    private final Set<String> required;
    private final Set<String> all;
    private final T calls;

    private NativeFunctions(T calls, List<Method> methods, Map<String, String> whyMissing) {
        this.calls = calls;
        this.whyMissing = whyMissing;
        this.all = methods.stream().map(Method::getName).collect(Collectors.toCollection(LinkedHashSet::new));
        this.required = methods.stream()
                .filter(method -> !method.isAnnotationPresent(Optional.class))
                .map(Method::getName)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Marks a function that the library may lack. {@link #missing} does not list it. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Optional {}

    /**
     * The function returns a struct of pointers and 64-bit numbers by value. The method returns nothing, and its first
     * parameter, a {@code long}, is the address that the struct is written to.
     */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface StructResult {
        /** The number of pointers and 64-bit numbers in the struct. */
        int longs();
    }

    /**
     * Binds functions by address: functions of a library, or the function pointers of a struct. The functions must stay
     * at their addresses as long as they are called.
     *
     * @param lookup {@code MethodHandles.lookup()} of a class in the interface's package
     * @param functions the interface
     * @param addresses returns the address of a function by the name of its method, or 0 if there is none; called once
     *     per function
     * @param origin where the functions come from, for messages: "there is no function f in …"
     * @throws IllegalArgumentException if the interface can't be bound
     * @throws UnsupportedOperationException if this Java is older than 22, or native access is denied to {@code core}
     */
    public static <T> NativeFunctions<T> of(
            MethodHandles.Lookup lookup, Class<T> functions, ToLongFunction<String> addresses, String origin) {
        List<Method> methods = methods(functions);
        Map<String, String> whyMissing = new LinkedHashMap<>();
        List<MethodHandle> handles = new ArrayList<>();
        for (Method method : methods) {
            String name = method.getName();
            long address = addresses.applyAsLong(name);
            if (address == 0) {
                whyMissing.put(name, "there is no function " + name + " in " + origin);
                handles.add(Missing.handle(whyMissing.get(name), typeOf(method)));
            } else {
                StructResult struct = method.getAnnotation(StructResult.class);
                handles.add(
                        struct == null
                                ? Downcalls.at(address, typeOf(method))
                                : Downcalls.structAt(address, typeOf(method), struct.longs()));
            }
        }
        return new NativeFunctions<>(instance(lookup, functions, methods, handles), methods, whyMissing);
    }

    /**
     * Binds kinds of functions, for function pointers that are known only when they are called. The first parameter of
     * each method is a {@code long}, the address of the function. The others are the function's own parameters. The
     * names of the methods don't matter. A call throws {@link IllegalArgumentException} if the address is 0.
     *
     * @param lookup {@code MethodHandles.lookup()} of a class in the interface's package
     * @param kinds the interface
     * @throws IllegalArgumentException if the interface can't be bound
     * @throws UnsupportedOperationException if this Java is older than 22, or native access is denied to {@code core}
     */
    public static <T> T byAddress(MethodHandles.Lookup lookup, Class<T> kinds) {
        List<Method> methods = methods(kinds);
        List<MethodHandle> handles = new ArrayList<>();
        for (Method method : methods) {
            MethodType type = typeOf(method);
            if (type.parameterCount() == 0 || type.parameterType(0) != long.class) {
                throw new IllegalArgumentException(
                        method + ": the first parameter must be a long, the function's address");
            }
            handles.add(Downcalls.byAddress(type.dropParameterTypes(0, 1)));
        }
        return instance(lookup, kinds, methods, handles);
    }

    /** The functions. */
    public T getCalls() {
        return calls;
    }

    /**
     * Whether a function exists.
     *
     * @throws IllegalArgumentException if the interface has no method of this name
     */
    public boolean has(String name) {
        return whyMissing(name) == null;
    }

    /**
     * Why a function is missing, in the words of the exception of a call; null if it exists.
     *
     * @throws IllegalArgumentException if the interface has no method of this name
     */
    public @Nullable String whyMissing(String name) {
        if (!all.contains(name)) {
            throw new IllegalArgumentException("no function " + name + " is bound");
        }
        return whyMissing.get(name);
    }

    /** The names of the functions that are missing and not {@link Optional}, in alphabetical order. */
    public List<String> missing() {
        return whyMissing.keySet().stream().filter(required::contains).collect(Collectors.toList());
    }

    private static void requireNativeAccess() {
        Platform.requireNativeAccess("binding native functions");
    }

    /** The methods to bind, in alphabetical order, because the JVM returns them in any order. */
    private static List<Method> methods(Class<?> type) {
        requireNativeAccess();
        if (!type.isInterface() || type.getTypeParameters().length > 0) {
            throw new IllegalArgumentException(type + " must be an interface without type parameters");
        }
        List<Method> methods = Stream.of(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .sorted(Comparator.comparing(Method::getName))
                .collect(Collectors.toList());
        for (int i = 1; i < methods.size(); i++) {
            if (methods.get(i).getName().equals(methods.get(i - 1).getName())) {
                throw new IllegalArgumentException(type + " has two functions of the name "
                        + methods.get(i).getName());
            }
        }
        return methods;
    }

    private static MethodType typeOf(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    }

    private static <T> T instance(
            MethodHandles.Lookup lookup, Class<T> type, List<Method> methods, List<MethodHandle> handles) {
        try {
            return BoundClass.instance(lookup, type, methods, handles);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    "the lookup must be MethodHandles.lookup() of a class in the package of " + type, e);
        }
    }

    /** Makes handles that throw. */
    private static final class Missing {
        private static final MethodHandle EXCEPTION;

        static {
            try {
                EXCEPTION = MethodHandles.lookup()
                        .findConstructor(NativeLibraryException.class, MethodType.methodType(void.class, String.class));
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        static MethodHandle handle(String reason, MethodType type) {
            MethodHandle thrower = MethodHandles.throwException(type.returnType(), NativeLibraryException.class);
            MethodHandle made = MethodHandles.foldArguments(thrower, EXCEPTION.bindTo(reason));
            return MethodHandles.dropArguments(made, 0, type.parameterList());
        }
    }
}
