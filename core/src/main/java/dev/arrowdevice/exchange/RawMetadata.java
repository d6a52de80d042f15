package dev.arrowdevice.exchange;

import dev.arrowdevice.abi.CHeap;
import dev.arrowdevice.abi.RawMemory;
import dev.arrowdevice.type.Metadata;
import dev.arrowdevice.type.MetadataCodec;

/** Metadata behind a C pointer. */
final class RawMetadata {
    private RawMetadata() {}

    /** Decodes the metadata at an address; none at 0. */
    static Metadata read(long address) {
        if (address == 0) {
            return Metadata.EMPTY;
        }
        return MetadataCodec.decode(new MetadataCodec.ByteSource() {
            @Override
            public int int32(long offset) {
                return RawMemory.getInt(address + offset);
            }

            @Override
            public byte[] bytes(long offset, int length) {
                return RawMemory.getBytes(address + offset, length);
            }
        });
    }

    /** Encodes metadata on the C heap, which the caller frees; 0 if there is none. */
    static long write(Metadata metadata) {
        if (metadata.isEmpty()) {
            return 0;
        }
        byte[] bytes = metadata.encode();
        long address = CHeap.allocate(bytes.length);
        RawMemory.putBytes(address, bytes);
        return address;
    }

    /** Frees what {@link #write} returned. */
    static void free(long address) {
        if (address != 0) {
            CHeap.free(address);
        }
    }
}
