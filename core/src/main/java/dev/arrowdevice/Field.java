package dev.arrowdevice;

import dev.arrowdevice.internal.type.Brief;
import java.util.List;

/**
 * A named column, or a child of a nested type.
 *
 * @param name the name; may be empty
 * @param type the type
 * @param nullable "whether this field is semantically nullable (regardless of whether it actually has null values)"
 * @param metadata keys and values; never {@link ExtensionType#NAME_KEY} or {@link ExtensionType#METADATA_KEY}, which
 *     are parts of an {@link ExtensionType}
 */
public record Field(String name, ArrowType type, boolean nullable, Metadata metadata) {
    /** The default name of the child of a list. */
    public static final String LIST_ELEMENT_NAME = "item";

    public Field {
        if (!metadata.isEmpty()) {
            requireOwn(name, metadata, ExtensionType.NAME_KEY);
            requireOwn(name, metadata, ExtensionType.METADATA_KEY);
        }
    }

    private static void requireOwn(String name, Metadata metadata, String key) {
        if (metadata.contains(key)) {
            throw new InvalidSchemaException("field " + Brief.quoted(name) + ": " + key
                    + " is not metadata here, give the field an ExtensionType");
        }
    }

    /** A nullable field without metadata. */
    public static Field nullable(String name, ArrowType type) {
        return new Field(name, type, true, Metadata.EMPTY);
    }

    /** A field that is not nullable, without metadata. */
    public static Field notNull(String name, ArrowType type) {
        return new Field(name, type, false, Metadata.EMPTY);
    }

    /**
     * The field that an {@code ArrowSchema} describes. If {@code metadata} names an extension, {@code storage} becomes
     * the storage of an {@link ExtensionType}, and the two keys are removed from the metadata. The inverse of
     * {@link #wireMetadata()}.
     *
     * @throws InvalidSchemaException when a known extension does not allow this storage or its parameters
     */
    public static Field fromWire(String name, ArrowType storage, boolean nullable, Metadata metadata) {
        if (metadata.isEmpty()) {
            return new Field(name, storage, nullable, metadata);
        }
        String extension = metadata.get(ExtensionType.NAME_KEY);
        ArrowType type = storage;
        if (extension != null) {
            byte[] serialized = metadata.getBytes(ExtensionType.METADATA_KEY);
            type = ArrowType.extension(extension, storage, serialized == null ? new byte[0] : serialized);
        }
        Metadata rest = metadata.without(ExtensionType.NAME_KEY, ExtensionType.METADATA_KEY);
        return new Field(name, type, nullable, rest);
    }

    /**
     * The metadata of this field in an {@code ArrowSchema}: the two keys of an extension first, then the field's own.
     */
    public Metadata wireMetadata() {
        if (!(type instanceof ExtensionType extension)) {
            return metadata;
        }
        return Metadata.of(ExtensionType.NAME_KEY, extension.name())
                .plus(ExtensionType.METADATA_KEY, extension.serialized())
                .plus(metadata);
    }

    /** The children of the type. */
    public List<Field> children() {
        return type.children();
    }

    /** This field under another name. */
    public Field withName(String name) {
        return new Field(name, type, nullable, metadata);
    }

    /** This field with another type. */
    public Field withType(ArrowType type) {
        return new Field(name, type, nullable, metadata);
    }

    /** This field, nullable or not. */
    public Field withNullable(boolean nullable) {
        return new Field(name, type, nullable, metadata);
    }

    /** This field with other metadata in place of its own. */
    public Field withMetadata(Metadata metadata) {
        return new Field(name, type, nullable, metadata);
    }

    /** Name and type, e.g. {@code id: int64 not null}. */
    @Override
    public String toString() {
        return name + ": " + type + (nullable ? "" : " not null");
    }
}
