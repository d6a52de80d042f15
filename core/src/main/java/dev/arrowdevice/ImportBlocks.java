package dev.arrowdevice;

import dev.arrowdevice.internal.exchange.Requirements;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;

/** Imports from structs that live as long as a block; see {@link ArrowImport}. */
final class ImportBlocks {
    private ImportBlocks() {}

    /** Lets a block fill one struct, and imports its content. */
    static <S extends CStruct, T, E extends Throwable> T one(
            String operation, Supplier<S> target, CStruct.Block<S, E> fill, Function<S, T> take) throws E {
        Requirements.requireNativeAccess(operation);
        try (S struct = target.get()) {
            struct.beginUse(); // If the block closes the struct, its memory must live until it is read below.
            try {
                fill.accept(struct);
                requireFilled(operation, struct);
                return take.apply(struct);
            } finally {
                struct.endUse();
            }
        }
    }

    /** Lets a block fill the structs of an array and of its schema, and imports their content. */
    static <S extends CStruct, T, E extends Throwable> T two(
            String operation,
            Supplier<S> target,
            CStruct.BlockWithSchema<S, E> fill,
            BiFunction<S, CSchemaStruct, T> take)
            throws E {
        Requirements.requireNativeAccess(operation);
        try (S array = target.get();
                CSchemaStruct schema = new CSchemaStruct()) {
            array.beginUse();
            schema.beginUse();
            try {
                fill.accept(array, schema);
                requireFilled(operation, array);
                requireFilled(operation, schema);
                return take.apply(array, schema);
            } finally {
                array.endUse();
                schema.endUse();
            }
        }
    }

    private static void requireFilled(String operation, CStruct struct) {
        if (!struct.isLive()) {
            throw new IllegalStateException(operation + ": the block ended without filling the struct of the "
                    + struct.getCapsuleName().substring("arrow_".length()).replace('_', ' '));
        }
    }
}
