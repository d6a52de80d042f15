package dev.arrowdevice.peers;

import dev.arrowdevice.ArrowExport;
import dev.arrowdevice.ArrowImport;
import dev.arrowdevice.CStruct;
import dev.arrowdevice.DeviceArray;
import dev.arrowdevice.DeviceArrayStream;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.Schema;
import dev.arrowdevice.Validation;
import java.io.IOException;

/** Exports and imports by a block as they are written in Java, with blocks that throw a checked exception and none. */
public final class BlocksInJava {
    /** Foreign code. */
    @FunctionalInterface
    public interface Peer {
        /** Takes or fills the struct at an address, or the two of an array and its schema. */
        void call(long struct, long schema) throws IOException;
    }

    private BlocksInJava() {}

    public static void export(DeviceArray array, boolean device, Peer peer) throws IOException {
        if (device) {
            ArrowExport.exportDeviceArray(
                    array, (struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()));
        } else {
            ArrowExport.exportArray(array, (struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()));
        }
    }

    public static void export(RecordBatch batch, boolean device, Peer peer) throws IOException {
        if (device) {
            ArrowExport.exportDeviceBatch(
                    batch, (struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()));
        } else {
            ArrowExport.exportBatch(batch, (struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()));
        }
    }

    public static void export(DeviceArrayStream stream, boolean device, Peer peer) throws IOException {
        if (device) {
            ArrowExport.exportDeviceStream(stream, struct -> peer.call(struct.getAddress(), 0));
        } else {
            ArrowExport.exportStream(stream, struct -> peer.call(struct.getAddress(), 0));
        }
    }

    public static void export(Schema schema, Peer peer) throws IOException {
        ArrowExport.exportSchema(schema, struct -> peer.call(0, struct.getAddress()));
    }

    public static DeviceArray importArray(boolean device, Peer peer) throws IOException {
        return device
                ? ArrowImport.importDeviceArray(
                        Validation.FULL, (struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()))
                : ArrowImport.importArray((struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()));
    }

    public static RecordBatch importBatch(boolean device, Peer peer) throws IOException {
        return device
                ? ArrowImport.importDeviceBatch((struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()))
                : ArrowImport.importBatch(
                        Validation.FULL, (struct, schema) -> peer.call(struct.getAddress(), schema.getAddress()));
    }

    public static DeviceArrayStream importStream(boolean device, Peer peer) throws IOException {
        return device
                ? ArrowImport.importDeviceStream(struct -> peer.call(struct.getAddress(), 0))
                : ArrowImport.importStream(Validation.FULL, struct -> peer.call(struct.getAddress(), 0));
    }

    public static Schema importSchema(Peer peer) throws IOException {
        return ArrowImport.importSchema(struct -> peer.call(0, struct.getAddress()));
    }

    /** Where nothing checked is thrown, nothing is to be caught. */
    public static boolean isLiveInBlock(DeviceArray array) {
        boolean[] live = new boolean[1];
        CStruct.BlockWithSchema<CStruct, RuntimeException> look = (struct, schema) -> live[0] = struct.isLive();
        ArrowExport.exportArray(array, (struct, schema) -> look.accept(struct, schema));
        return live[0];
    }
}
