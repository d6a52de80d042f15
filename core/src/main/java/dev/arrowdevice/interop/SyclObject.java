package dev.arrowdevice.interop;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The {@code syclobj} of the SYCL USM Array Interface: the context that the pointer is bound to. A bridge turns a
 * {@code dpctl.SyclQueue} or {@code dpctl.SyclContext} into one of these by {@code _get_capsule()}, whose capsule has the
 * name and the pointer that are here, and makes such a capsule of what we give.
 *
 * @param name {@link #QUEUE} or {@link #CONTEXT}, the name of the Python capsule; or a filter selector string: "default
 *     context for this root device is used"
 * @param pointer the {@code sycl::queue*} or {@code sycl::context*}; 0 with a filter selector string
 */
public record SyclObject(String name, long pointer) {
    /** The name of a capsule that carries a {@code sycl::queue*}. */
    public static final String QUEUE = "SyclQueueRef";
    /** The name of a capsule that carries a {@code sycl::context*}. */
    public static final String CONTEXT = "SyclContextRef";

    /**
     * Checks name and pointer.
     *
     * @throws IllegalArgumentException for a capsule of another name or of NULL, and a filter selector string that is empty
     */
    public SyclObject {
        if (pointer != 0) {
            requireCapsule(name);
        } else if (name.equals(QUEUE) || name.equals(CONTEXT)) {
            throw new IllegalArgumentException("syclobj is a capsule of NULL");
        } else if (name.isEmpty()) {
            throw new IllegalArgumentException("syclobj is an empty filter selector string");
        }
    }

    private static void requireCapsule(String name) {
        if (!name.equals(QUEUE) && !name.equals(CONTEXT)) {
            throw new IllegalArgumentException("syclobj is a capsule named \"" + name + "\", not " + QUEUE + " or "
                    + CONTEXT + " (a capsule that was used has another name)");
        }
    }

    /** A queue, whose context is used. */
    public static SyclObject queue(long queueRef) {
        return new SyclObject(QUEUE, queueRef);
    }

    /** A context. */
    public static SyclObject context(long contextRef) {
        return new SyclObject(CONTEXT, contextRef);
    }

    /** The default context of the device that a filter selector string names. */
    public static SyclObject filter(String selector) {
        return new SyclObject(selector, 0);
    }

    /** Whether it is a filter selector string. */
    public boolean isFilter() {
        return pointer == 0;
    }

    /** Whether it is a queue. */
    public boolean isQueue() {
        return !isFilter() && name.equals(QUEUE);
    }

    /** Reads what stands in the map: a string, one of these, or a map of a capsule's name and pointer. */
    static SyclObject parse(@Nullable Object value) {
        if (value instanceof SyclObject known) {
            return known;
        }
        if (value instanceof String selector) {
            return filter(selector);
        }
        if (value instanceof Map<?, ?> capsule) {
            String name = PythonValues.string("syclobj.name", PythonValues.required(capsule, "name"));
            requireCapsule(name);
            return new SyclObject(
                    name, PythonValues.pointer("syclobj.pointer", PythonValues.required(capsule, "pointer")));
        }
        throw PythonValues.wrong("syclobj", "a filter selector string, a SyclObject or the map of a capsule", value);
    }

    /** What stands in the map: a string, or a map of the capsule's name and pointer. */
    Object toPython() {
        return isFilter() ? name : Map.of("name", name, "pointer", pointer);
    }
}
