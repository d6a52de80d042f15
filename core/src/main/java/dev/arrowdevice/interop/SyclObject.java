package dev.arrowdevice.interop;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code syclobj} of the SYCL USM Array Interface: the context that the pointer is bound to. A bridge turns a
 * {@code dpctl.SyclQueue} or {@code dpctl.SyclContext} into one of these by {@code _get_capsule()}, whose capsule has the
 * {@link Capsule#name} and {@link Capsule#pointer} that are here, and makes such a capsule of what we give.
 */
public sealed interface SyclObject {
    /** "Filter selector string: default context for this root device is used". */
    record Filter(String selector) implements SyclObject {
        /** Checks that there is a selector. */
        public Filter {
            if (selector.isEmpty()) {
                throw new InvalidInterfaceException("syclobj is an empty filter selector string");
            }
        }
    }

    /**
     * A named Python capsule, by itself or of a queue's or a context's {@code _get_capsule()}.
     *
     * @param name {@link #QUEUE} or {@link #CONTEXT}
     * @param pointer the {@code sycl::queue*} or {@code sycl::context*}
     */
    record Capsule(String name, long pointer) implements SyclObject {
        /** The name of a capsule that carries a {@code sycl::queue*}. */
        public static final String QUEUE = "SyclQueueRef";
        /** The name of a capsule that carries a {@code sycl::context*}. */
        public static final String CONTEXT = "SyclContextRef";

        /** Checks name and pointer. */
        public Capsule {
            if (!name.equals(QUEUE) && !name.equals(CONTEXT)) {
                throw new InvalidInterfaceException("syclobj is a capsule named \"" + name + "\", not " + QUEUE + " or "
                        + CONTEXT + " (a capsule that was used has another name)");
            }
            if (pointer == 0) {
                throw new InvalidInterfaceException("syclobj is a capsule of NULL");
            }
        }

        /** Whether it carries a queue. */
        public boolean isQueue() {
            return name.equals(QUEUE);
        }
    }

    /** A queue, whose context is used. */
    static SyclObject queue(long queueRef) {
        return new Capsule(Capsule.QUEUE, queueRef);
    }

    /** A context. */
    static SyclObject context(long contextRef) {
        return new Capsule(Capsule.CONTEXT, contextRef);
    }

    /** Reads what stands in the map: a string, one of these, or a map of a capsule's name and pointer. */
    static SyclObject parse(@Nullable Object value) {
        if (value instanceof SyclObject known) {
            return known;
        }
        if (value instanceof String selector) {
            return new Filter(selector);
        }
        if (value instanceof Map<?, ?> capsule) {
            return new Capsule(
                    PythonValues.string("syclobj.name", PythonValues.required(capsule, "name")),
                    PythonValues.pointer("syclobj.pointer", PythonValues.required(capsule, "pointer")));
        }
        throw PythonValues.wrong("syclobj", "a filter selector string, a SyclObject or the map of a capsule", value);
    }

    /** What stands in the map: a string, or a map of the capsule's name and pointer. */
    static Object toPython(SyclObject object) {
        if (object instanceof Filter filter) {
            return filter.selector();
        }
        Capsule capsule = (Capsule) object;
        return Map.of("name", capsule.name(), "pointer", capsule.pointer());
    }
}
