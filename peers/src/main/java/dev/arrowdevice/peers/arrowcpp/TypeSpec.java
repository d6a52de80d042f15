package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of an {@code ArrowSchema}, written field by field with no help of the SDK: so Arrow C++ gets its types
 * from nobody that is under test.
 */
public final class TypeSpec {
    public static final long DICTIONARY_ORDERED = 1;
    public static final long NULLABLE = 2;
    public static final long MAP_KEYS_SORTED = 4;

    private static final long SIZE = 72;
    private static final long FORMAT = 0;
    private static final long NAME = 8;
    private static final long METADATA = 16;
    private static final long FLAGS = 24;
    private static final long CHILD_COUNT = 32;
    private static final long CHILDREN = 40;
    private static final long DICTIONARY = 48;
    private static final long RELEASE = 56;

    private static final MemorySegment RELEASE_CALLBACK = releaseCallback();

    private final String format;
    private final String name;
    private final long flags;
    private final List<String> metadata;
    private final List<TypeSpec> children;
    private final @Nullable TypeSpec dictionary;

    private TypeSpec(
            String format,
            String name,
            long flags,
            List<String> metadata,
            List<TypeSpec> children,
            @Nullable TypeSpec dictionary) {
        this.format = format;
        this.name = name;
        this.flags = flags;
        this.metadata = metadata;
        this.children = children;
        this.dictionary = dictionary;
    }

    /** A nullable field without a name. */
    public static TypeSpec of(String format, TypeSpec... children) {
        return new TypeSpec(format, "", NULLABLE, List.of(), List.of(children), null);
    }

    /** A map of these keys and values; C++ wants entries and keys without nulls. */
    public static TypeSpec map(TypeSpec key, TypeSpec value) {
        return of(
                "+m",
                of("+s", key.named("key").notNull(), value.named("value"))
                        .named("entries")
                        .notNull());
    }

    public TypeSpec named(String newName) {
        return new TypeSpec(format, newName, flags, metadata, children, dictionary);
    }

    public TypeSpec notNull() {
        return flags(flags & ~NULLABLE);
    }

    public TypeSpec flags(long newFlags) {
        return new TypeSpec(format, name, newFlags, metadata, children, dictionary);
    }

    /** A dictionary-encoded type: this type is the type of the index, and the argument the type of the values. */
    public TypeSpec dictionary(TypeSpec values) {
        return new TypeSpec(format, name, flags, metadata, children, values);
    }

    /** Key, value, key, value and so on. */
    public TypeSpec metadata(String... keysAndValues) {
        return new TypeSpec(format, name, flags, List.of(keysAndValues), children, dictionary);
    }

    public TypeSpec extension(String extensionName, String serialized) {
        return metadata("ARROW:extension:name", extensionName, "ARROW:extension:metadata", serialized);
    }

    /** Writes an {@code ArrowSchema} that lives as long as the arena; its release callback frees nothing. */
    public long writeTo(Arena arena) {
        MemorySegment schema = arena.allocate(SIZE, Long.BYTES);
        schema.set(ValueLayout.ADDRESS, FORMAT, arena.allocateFrom(format));
        schema.set(ValueLayout.ADDRESS, NAME, arena.allocateFrom(name));
        schema.set(ValueLayout.JAVA_LONG, FLAGS, flags);
        if (!metadata.isEmpty()) {
            schema.set(ValueLayout.ADDRESS, METADATA, arena.allocateFrom(ValueLayout.JAVA_BYTE, encodedMetadata()));
        }
        if (!children.isEmpty()) {
            long[] addresses =
                    children.stream().mapToLong(child -> child.writeTo(arena)).toArray();
            schema.set(ValueLayout.JAVA_LONG, CHILD_COUNT, addresses.length);
            schema.set(ValueLayout.ADDRESS, CHILDREN, arena.allocateFrom(ValueLayout.JAVA_LONG, addresses));
        }
        if (dictionary != null) {
            schema.set(ValueLayout.JAVA_LONG, DICTIONARY, dictionary.writeTo(arena));
        }
        schema.set(ValueLayout.ADDRESS, RELEASE, RELEASE_CALLBACK);
        return schema.address();
    }

    /** The C++ type. */
    public CppType toCpp() {
        try (Arena arena = Arena.ofConfined()) {
            return CppType.importFrom(writeTo(arena));
        }
    }

    private byte[] encodedMetadata() {
        List<byte[]> items = new ArrayList<>();
        int size = Integer.BYTES;
        for (String item : metadata) {
            byte[] bytes = item.getBytes(StandardCharsets.UTF_8);
            items.add(bytes);
            size += Integer.BYTES + bytes.length;
        }
        ByteBuffer encoded = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
        encoded.putInt(items.size() / 2);
        for (byte[] item : items) {
            encoded.putInt(item.length).put(item);
        }
        return encoded.array();
    }

    private static void release(long schema) {
        CppMemory.putLong(schema + RELEASE, 0);
    }

    @SuppressWarnings("restricted")
    private static MemorySegment releaseCallback() {
        try {
            return java.lang.foreign.Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            TypeSpec.class, "release", MethodType.methodType(void.class, long.class)),
                            java.lang.foreign.FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG),
                            Arena.global());
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
