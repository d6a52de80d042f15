package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import dev.arrowdevice.internal.type.Json;
import dev.arrowdevice.spi.Layout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A type with a meaning of its own, in the layout of a storage type. In the C data interface an extension is the format
 * of its storage and two metadata keys, {@link #NAME_KEY} and {@link #METADATA_KEY}. Here these are parts of the type,
 * and {@link Field#metadata()} does not contain them.
 *
 * <p>Any name is allowed. The parameters of known extensions are checked: {@link #UUID}, {@link #BOOL8}, {@link #JSON}
 * and {@link #FIXED_SHAPE_TENSOR}, which is a {@link FixedShapeTensor}. Two extensions are equal if their names,
 * storage and serialized parameters are equal.
 */
public sealed class ExtensionType implements ArrowType permits FixedShapeTensor {
    /** The metadata key of an extension's name. */
    public static final String NAME_KEY = "ARROW:extension:name";
    /** The metadata key of an extension's serialized parameters. */
    public static final String METADATA_KEY = "ARROW:extension:metadata";

    /** A UUID: storage fixed_size_binary[16], no parameters. */
    public static final String UUID = "arrow.uuid";
    /** A boolean in a byte: storage int8, no parameters. */
    public static final String BOOL8 = "arrow.bool8";
    /** JSON text: storage utf8, large_utf8 or utf8_view; parameters empty or an empty JSON object. */
    public static final String JSON = "arrow.json";
    /** Tensors of one shape: storage fixed_size_list. */
    public static final String FIXED_SHAPE_TENSOR = "arrow.fixed_shape_tensor";

    private final String name;
    private final ArrowType storageType;
    private final byte[] serialized;

    ExtensionType(String name, ArrowType storageType, byte[] serialized) {
        this.name = name;
        this.storageType = storageType;
        this.serialized = serialized.clone();
    }

    /** See {@link ArrowType#extension}. */
    static ExtensionType of(String name, ArrowType storage, byte[] serialized) {
        if (name.isEmpty()) {
            throw new InvalidSchemaException("an extension type has a name");
        }
        if (storage instanceof ExtensionType) {
            throw new InvalidSchemaException("the storage of an extension type is not an extension itself: "
                    + Brief.text(name) + " over " + Brief.type(storage));
        }
        switch (name) {
            case UUID -> {
                requireStorage(storage.equals(ArrowType.fixedSizeBinary(16)), name, "fixed_size_binary[16]", storage);
                requireNoParameters(name, serialized);
            }
            case BOOL8 -> {
                requireStorage(storage.equals(ArrowType.INT8), name, "int8", storage);
                requireNoParameters(name, serialized);
            }
            case JSON -> {
                boolean text = storage.id() == TypeId.UTF8
                        || storage.id() == TypeId.LARGE_UTF8
                        || storage.id() == TypeId.UTF8_VIEW;
                requireStorage(text, name, "utf8, large_utf8 or utf8_view", storage);
                if (serialized.length > 0 && !Json.readObject(name, serialized).isEmpty()) {
                    throw new InvalidSchemaException(
                            name + ": expected no parameters or an empty JSON object, got " + quote(serialized));
                }
            }
            case FIXED_SHAPE_TENSOR -> {
                return FixedShapeTensor.parse(storage, serialized);
            }
            default -> {
                // Unknown extensions keep their parameters unchanged.
            }
        }
        return new ExtensionType(name, storage, serialized);
    }

    static void requireStorage(boolean fits, String name, String expected, ArrowType storage) {
        if (!fits) {
            throw new InvalidSchemaException(name + " is stored as " + expected + ", not as " + Brief.type(storage));
        }
    }

    private static void requireNoParameters(String name, byte[] serialized) {
        if (serialized.length > 0) {
            throw new InvalidSchemaException(name + ": expected no parameters, got " + quote(serialized));
        }
    }

    private static String quote(byte[] serialized) {
        String text = new String(serialized, StandardCharsets.UTF_8);
        return text.length() <= 60 ? "\"" + text + "\"" : "\"" + text.substring(0, 60) + "…\"";
    }

    /** The name, e.g. {@code arrow.uuid}. */
    public final String name() {
        return name;
    }

    /** The parameters, serialized by the extension: a new copy. */
    public final byte[] serialized() {
        return serialized.clone();
    }

    @Override
    public final TypeId id() {
        return TypeId.EXTENSION;
    }

    @Override
    public final List<Field> children() {
        return storageType.children();
    }

    @Override
    public final ArrowType storageType() {
        return storageType;
    }

    @Override
    public final Layout layout() {
        return storageType.layout();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExtensionType that
                && that.getClass() == getClass()
                && name.equals(that.name)
                && storageType.equals(that.storageType)
                && Arrays.equals(serialized, that.serialized);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, storageType, Arrays.hashCode(serialized));
    }

    @Override
    public String toString() {
        return "extension<" + name + ">";
    }
}
