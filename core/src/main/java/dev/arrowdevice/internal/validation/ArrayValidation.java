package dev.arrowdevice.internal.validation;

import dev.arrowdevice.Field;
import dev.arrowdevice.InvalidArrayException;
import dev.arrowdevice.Validation;
import dev.arrowdevice.spi.ArrayData;
import java.util.List;

/** Checks an array that was made from buffers of known sizes. */
public final class ArrayValidation {
    private ArrayValidation() {}

    /**
     * Checks an array and all arrays below it.
     *
     * @param readable whether the values are there and the host may read them; otherwise their content is not checked
     * @throws InvalidArrayException whose message names the field and what is wrong with it
     */
    public static void validate(ArrayData array, boolean readable, Validation validation) {
        if (validation == Validation.NONE) {
            return;
        }
        structure(array, readable);
        if (validation == Validation.FULL && readable) {
            FullValidator.validate(array);
        }
    }

    private static void structure(ArrayData array, boolean readable) {
        List<Field> fields = array.getType().storageType().children();
        for (int i = 0; i < array.getChildCount(); i++) {
            inner(array.child(i), readable, fields.get(i).name());
        }
        ArrayData dictionary = array.getDictionary();
        if (dictionary != null) {
            inner(dictionary, readable, "dictionary");
        }
        BufferValidator.validate(array);
        StructureValidator.validate(array, readable);
        bytes(array, readable);
    }

    /**
     * Checks the last offset against the size of the data. An import computes the size from the offset, so they can
     * differ only here.
     */
    private static void bytes(ArrayData array, boolean readable) {
        switch (array.getType().storageType().id()) {
            case UTF8:
            case BINARY:
            case LARGE_UTF8:
            case LARGE_BINARY:
                if (readable && array.getLength() > 0) {
                    StructureValidator.requireBytes(array);
                }
                break;
            default:
                break;
        }
    }

    private static void inner(ArrayData array, boolean readable, String name) {
        try {
            structure(array, readable);
        } catch (InvalidArrayException e) {
            throw Problems.within(name, e);
        }
    }
}
