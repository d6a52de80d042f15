package dev.arrowdevice.interop;

import dev.arrowdevice.ArrowType;
import dev.arrowdevice.DurationType;
import dev.arrowdevice.ExtensionType;
import dev.arrowdevice.Field;
import dev.arrowdevice.FixedSizeBinaryType;
import dev.arrowdevice.TimeUnit;
import dev.arrowdevice.TimestampType;
import org.jspecify.annotations.Nullable;

/** Which Arrow type has the same bytes as a type of the array interfaces. */
final class ElementType {
    private ElementType() {}

    /** The Arrow type of elements; a complex number is a list of its two parts. */
    static ArrowType of(TypeString type) {
        if (!type.isNativeOrder()) {
            throw new IllegalArgumentException("typestr \"" + type + "\" is of the other byte order than this machine");
        }
        ArrowType known = null;
        switch (type.kind()) {
            case 'b':
                known = type.size() == 1 ? ArrowType.bool8() : null;
                break;
            case 'i':
            case 'u':
            case 'f':
            case 'c':
                known = number(type.kind(), 8L * type.size());
                break;
            case 'M':
            case 'm':
                TimeUnit unit = unit(type);
                if (unit != null) {
                    known = type.kind() == 'M' ? ArrowType.timestamp(unit) : ArrowType.duration(unit);
                }
                break;
            case 'S':
            case 'V':
                known = type.size() > 0 && type.size() <= FixedSizeBinaryType.MAX_BYTE_WIDTH
                        ? ArrowType.fixedSizeBinary(type.size())
                        : null;
                break;
            default:
                break;
        }
        if (known == null) {
            throw new IllegalArgumentException("typestr \"" + type + "\" has no Arrow type of the same bytes");
        }
        return known;
    }

    /** The Arrow type of elements. */
    static ArrowType of(DlpackType type) {
        if (type.lanes() != 1) {
            throw new IllegalArgumentException(
                    type + " has " + type.lanes() + " lanes: Arrow has no vectors as elements");
        }
        ArrowType known = null;
        switch (type.code()) {
            case DlpackType.INT:
                known = number('i', type.bits());
                break;
            case DlpackType.UINT:
                known = number('u', type.bits());
                break;
            case DlpackType.FLOAT:
                known = number('f', type.bits());
                break;
            case DlpackType.COMPLEX:
                known = number('c', type.bits());
                break;
            case DlpackType.BOOL:
                known = type.bits() == 8 ? ArrowType.bool8() : null;
                break;
            default:
                break;
        }
        if (known == null) {
            throw new IllegalArgumentException(type
                    + (type.bits() % 8 == 0 ? "" : ", a type of less than whole bytes,")
                    + " has no Arrow type of the same bytes");
        }
        return known;
    }

    private static @Nullable ArrowType number(char kind, long bits) {
        switch (kind + " " + bits) {
            case "i 8":
                return ArrowType.INT8;
            case "i 16":
                return ArrowType.INT16;
            case "i 32":
                return ArrowType.INT32;
            case "i 64":
                return ArrowType.INT64;
            case "u 8":
                return ArrowType.UINT8;
            case "u 16":
                return ArrowType.UINT16;
            case "u 32":
                return ArrowType.UINT32;
            case "u 64":
                return ArrowType.UINT64;
            case "f 16":
                return ArrowType.FLOAT16;
            case "f 32":
                return ArrowType.FLOAT32;
            case "f 64":
                return ArrowType.FLOAT64;
            case "c 64":
                return complex(ArrowType.FLOAT32);
            case "c 128":
                return complex(ArrowType.FLOAT64);
            default:
                return null;
        }
    }

    private static ArrowType complex(ArrowType part) {
        return ArrowType.fixedSizeList(Field.notNull(Field.LIST_ELEMENT_NAME, part), 2);
    }

    private static @Nullable TimeUnit unit(TypeString type) {
        for (TimeUnit unit : TimeUnit.values()) {
            if (type.multiple() == 1 && unit.symbol().equals(type.unit())) {
                return unit;
            }
        }
        return null;
    }

    /** The type string of an Arrow type of fixed width, which is no list. */
    static TypeString typeString(ArrowType type) {
        if (isBool8(type)) {
            return TypeString.of('b', 1);
        }
        ArrowType storage = type.storageType();
        switch (storage.id()) {
            case INT8:
            case INT16:
            case INT32:
            case INT64:
                return TypeString.of('i', byteSize(storage));
            case UINT8:
            case UINT16:
            case UINT32:
            case UINT64:
                return TypeString.of('u', byteSize(storage));
            case FLOAT16:
            case FLOAT32:
            case FLOAT64:
                return TypeString.of('f', byteSize(storage));
            case DATE64:
                return TypeString.of('M', TimeUnit.MILLISECOND.symbol());
            case TIMESTAMP:
                TimestampType timestamp = (TimestampType) storage;
                if (timestamp.timezone() != null) {
                    throw new IllegalArgumentException(type + ": a typestr has no place for the time zone");
                }
                return TypeString.of('M', timestamp.unit().symbol());
            case DURATION:
                return TypeString.of('m', ((DurationType) storage).unit().symbol());
            case FIXED_SIZE_BINARY:
                return TypeString.of('V', ((FixedSizeBinaryType) storage).byteWidth());
            default:
                throw unfit(type);
        }
    }

    /** The DLPack type of an Arrow type of fixed width, which is no list. */
    static DlpackType dlpack(ArrowType type) {
        if (isBool8(type)) {
            return new DlpackType(DlpackType.BOOL, 8, 1);
        }
        ArrowType storage = type.storageType();
        int bits = storage.layout().bitWidth();
        switch (storage.id()) {
            case INT8:
            case INT16:
            case INT32:
            case INT64:
                return new DlpackType(DlpackType.INT, bits, 1);
            case UINT8:
            case UINT16:
            case UINT32:
            case UINT64:
                return new DlpackType(DlpackType.UINT, bits, 1);
            case FLOAT16:
            case FLOAT32:
            case FLOAT64:
                return new DlpackType(DlpackType.FLOAT, bits, 1);
            default:
                throw unfit(type);
        }
    }

    static boolean isBool8(ArrowType type) {
        return type instanceof ExtensionType extension && extension.name().equals(ExtensionType.BOOL8);
    }

    private static int byteSize(ArrowType storage) {
        return storage.layout().bitWidth() / 8;
    }

    static IllegalArgumentException unfit(ArrowType type) {
        return new IllegalArgumentException(type
                + (type.equals(ArrowType.BOOL)
                        ? " has its values in bits: toBool8() is a copy with one byte for each"
                        : " has no type of the same bytes in this interface"));
    }
}
