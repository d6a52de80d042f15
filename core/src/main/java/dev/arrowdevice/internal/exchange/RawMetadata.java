package dev.arrowdevice.internal.exchange;

import dev.arrowdevice.Metadata;
import dev.arrowdevice.internal.abi.CHeap;
import dev.arrowdevice.internal.abi.RawMemory;
import dev.arrowdevice.internal.type.MetadataCodec;

/** Reads and writes metadata at C pointers. */
public final class RawMetadata {
    private RawMetadata() {}

    /** Decodes the metadata at an address. At address 0 there is none. */
    public static Metadata read(long address) {
        return read(address, new SchemaBudget());
    }

    /** Decodes the metadata of a field, as a part of what the schema may take. */
    static Metadata read(long address, SchemaBudget budget) {
        if (address == 0) {
            return Metadata.EMPTY;
        }
        Metadata metadata = MetadataCodec.decode(new MetadataCodec.ByteSource() {
            @Override
            public int int32(long offset) {
                budget.bytes(Integer.BYTES);
                return RawMemory.getInt(address + offset);
            }

            @Override
            public byte[] bytes(long offset, int length) {
                budget.bytes(length); // Before they are copied.
                return RawMemory.getBytes(address + offset, length);
            }
        });
        budget.entries(metadata.getSize());
        return metadata;
    }

    /** Encodes metadata on the C heap, which the caller frees. Returns 0 if there is none. */
    public static long write(Metadata metadata) {
        if (metadata.isEmpty()) {
            return 0;
        }
        byte[] bytes = metadata.encode();
        long address = CHeap.allocate(bytes.length);
        RawMemory.putBytes(address, bytes);
        return address;
    }

    /** Frees memory of {@link #write}. */
    public static void free(long address) {
        if (address != 0) {
            CHeap.free(address);
        }
    }
}
