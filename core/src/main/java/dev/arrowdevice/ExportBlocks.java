package dev.arrowdevice;

import dev.arrowdevice.internal.exchange.ArrayExports;
import dev.arrowdevice.internal.exchange.SchemaExporter;
import dev.arrowdevice.internal.owners.Ownership;
import dev.arrowdevice.spi.ReferenceCounted;
import dev.arrowdevice.spi.Verb;
import java.lang.ref.Reference;

/** Exports to structs that live as long as a block; see {@link ArrowExport}. */
final class ExportBlocks {
    /** Fills the struct of a stream. */
    @FunctionalInterface
    interface StreamFiller {
        /** Exports the stream to the struct at an address. */
        void fill(long target, DeviceArrayStream exported);
    }

    private ExportBlocks() {}

    /** Exports a share of an array to a struct, and closes the struct after the block. */
    static <S extends CStruct, E extends Throwable> void array(
            DeviceArray array,
            Verb verb,
            Field field,
            S target,
            boolean deviceArray,
            CStruct.BlockWithSchema<S, E> block)
            throws E {
        // First, before anything can fail: this method must close the structs.
        try (S struct = target;
                CSchemaStruct schema = new CSchemaStruct()) {
            Ownership.State state = array.ownership.state;
            ReferenceCounted share = state.beginBlockExport(verb);
            boolean taken = false;
            try {
                fill(array, share, verb, field, struct, deviceArray, schema);
                struct.beginUse(); // If the block closes a struct, its memory must live until it is read below.
                schema.beginUse();
                try {
                    block.accept(struct, schema);
                } finally {
                    taken = !struct.isLive();
                    struct.endUse();
                    schema.endUse();
                }
            } finally {
                state.endBlockExport(taken);
                // The garbage collector must not find the owner lost before the block has ended.
                Reference.reachabilityFence(array);
            }
        }
    }

    private static void fill(
            DeviceArray array,
            ReferenceCounted share,
            Verb verb,
            Field field,
            CStruct struct,
            boolean deviceArray,
            CSchemaStruct schema) {
        try {
            ArrayExports.exportShare(array, share, verb, field, struct.getAddress(), deviceArray, schema.getAddress());
        } catch (Throwable e) {
            share.release();
            throw e;
        }
    }

    /** Exports a stream to a struct, and closes the struct after the block. */
    static <S extends CStruct, E extends Throwable> void stream(
            DeviceArrayStream stream, Verb verb, S target, StreamFiller filler, CStruct.Block<S, E> block) throws E {
        try (S struct = target) {
            DeviceArrayStream exported = stream.beginBlockExport(verb);
            boolean taken = false;
            boolean ended = false;
            try {
                filler.fill(struct.getAddress(), exported);
                struct.beginUse(); // If the block closes the struct, its content must live until it is read below.
                try {
                    block.accept(struct);
                } finally {
                    try {
                        taken = !struct.isLive();
                        // Before the struct is closed, also by the block: if the consumer did not take the stream,
                        // closing the struct must not close the source.
                        stream.endBlockExport(exported, taken);
                        ended = true;
                    } finally {
                        struct.endUse();
                    }
                }
            } finally {
                if (!ended) {
                    stream.endBlockExport(exported, taken);
                }
            }
        }
    }

    /** Exports a schema to a struct, and closes the struct after the block. */
    static <E extends Throwable> void schema(Field field, CStruct.Block<CSchemaStruct, E> block) throws E {
        try (CSchemaStruct struct = new CSchemaStruct()) {
            SchemaExporter.export(field, struct.getAddress());
            struct.beginUse();
            try {
                block.accept(struct);
            } finally {
                struct.endUse();
            }
        }
    }
}
