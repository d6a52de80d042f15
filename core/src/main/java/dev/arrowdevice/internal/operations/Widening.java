package dev.arrowdevice.internal.operations;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DecimalType;
import dev.arrowdevice.DictionaryType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeListType;
import dev.arrowdevice.MapType;
import dev.arrowdevice.TypeId;
import dev.arrowdevice.UnionType;
import java.util.List;

/** Which casts change no value, whatever the values are. */
final class Widening {
    private Widening() {}

    /** Whether each value of a type is the same value of another type. */
    static boolean isWidening(ArrowType from, ArrowType to) {
        if (from.equals(to)) {
            return true;
        }
        if (from.id() == TypeId.NULL) {
            return UnionGather.canBeNull(to);
        }
        if (from instanceof ExtensionType || to instanceof ExtensionType) {
            // What an extension means is lost, but nothing that wasn't checked gets a meaning.
            return !(to instanceof ExtensionType) && isWidening(from.storageType(), to);
        }
        if (from.id().isInteger()) {
            return ofInteger(from.id(), to);
        }
        switch (from.id()) {
            case FLOAT16:
                return to.id() == TypeId.FLOAT32 || to.id() == TypeId.FLOAT64;
            case FLOAT32:
                return to.id() == TypeId.FLOAT64;
            case DECIMAL32:
            case DECIMAL64:
            case DECIMAL128:
            case DECIMAL256:
                return to instanceof DecimalType wider && ofDecimal((DecimalType) from, wider);
            case DATE32:
                return to.id() == TypeId.DATE64;
            case TIME32:
                return to.id() == TypeId.TIME64;
            case UTF8:
                return isOneOf(
                        to.id(),
                        TypeId.LARGE_UTF8,
                        TypeId.UTF8_VIEW,
                        TypeId.BINARY,
                        TypeId.LARGE_BINARY,
                        TypeId.BINARY_VIEW);
            case LARGE_UTF8:
                return to.id() == TypeId.LARGE_BINARY;
            case UTF8_VIEW:
                return to.id() == TypeId.BINARY_VIEW;
            case BINARY:
                return to.id() == TypeId.LARGE_BINARY || to.id() == TypeId.BINARY_VIEW;
            default:
                return ofNested(from, to);
        }
    }

    private static boolean isOneOf(TypeId id, TypeId... ids) {
        return List.of(ids).contains(id);
    }

    private static boolean ofInteger(TypeId from, ArrowType to) {
        int bits = bits(from) + (isSigned(from) ? 0 : 1); // As a signed integer.
        if (to instanceof DecimalType decimal) {
            return decimal.scale() >= 0 && decimal.precision() - decimal.scale() >= digits(from);
        }
        switch (to.id()) {
            case FLOAT16:
                return bits <= 11;
            case FLOAT32:
                return bits <= 24;
            case FLOAT64:
                return bits <= 53;
            default:
                return to.id().isInteger()
                        && (isSigned(to.id()) ? bits(to.id()) >= bits : !isSigned(from) && bits(to.id()) >= bits(from));
        }
    }

    private static int bits(TypeId integer) {
        switch (integer) {
            case INT8:
            case UINT8:
                return 8;
            case INT16:
            case UINT16:
                return 16;
            case INT32:
            case UINT32:
                return 32;
            default:
                return 64;
        }
    }

    static boolean isSigned(TypeId integer) {
        return isOneOf(integer, TypeId.INT8, TypeId.INT16, TypeId.INT32, TypeId.INT64);
    }

    /** The most decimal digits of an integer. */
    private static int digits(TypeId integer) {
        switch (bits(integer)) {
            case 8:
                return 3;
            case 16:
                return 5;
            case 32:
                return 10;
            default:
                return isSigned(integer) ? 19 : 20;
        }
    }

    private static boolean ofDecimal(DecimalType from, DecimalType to) {
        return to.bitWidth() >= from.bitWidth()
                && to.scale() >= from.scale()
                && to.precision() - to.scale() >= from.precision() - from.scale();
    }

    private static boolean ofNested(ArrowType from, ArrowType to) {
        boolean sameKind = from.id() == to.id()
                || (from.id() == TypeId.LIST && to.id() == TypeId.LARGE_LIST)
                || (from.id() == TypeId.LIST_VIEW && to.id() == TypeId.LARGE_LIST_VIEW);
        if (!sameKind) {
            return false;
        }
        if (from instanceof DictionaryType dictionary && to instanceof DictionaryType wider) {
            return isWidening(dictionary.indexType(), wider.indexType())
                    && isWidening(dictionary.valueType(), wider.valueType())
                    && (dictionary.ordered() || !wider.ordered());
        }
        if (from instanceof FixedSizeListType list && list.listSize() != ((FixedSizeListType) to).listSize()) {
            return false;
        }
        if (from instanceof UnionType union && !union.typeIds().equals(((UnionType) to).typeIds())) {
            return false;
        }
        if (from instanceof MapType map && !map.keysSorted() && ((MapType) to).keysSorted()) {
            return false;
        }
        boolean named = from.id() == TypeId.STRUCT || from instanceof UnionType;
        List<Field> fields = from.children();
        List<Field> wider = to.children();
        if (fields.isEmpty() || fields.size() != wider.size()) {
            return false; // Types without children that differ, such as timestamps of other units.
        }
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            Field other = wider.get(i);
            if ((named && !field.name().equals(other.name()))
                    || (field.nullable() && !other.nullable())
                    || !isWidening(field.type(), other.type())) {
                return false;
            }
        }
        return true;
    }
}
