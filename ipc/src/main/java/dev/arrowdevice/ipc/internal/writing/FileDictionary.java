package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.writing.DictionaryPolicy.Output;
import dev.arrowdevice.spi.ArrayData;
import org.jspecify.annotations.Nullable;

/** One dictionary, as it is in a file so far. */
interface FileDictionary extends AutoCloseable {
    /** Takes the dictionary of the next batch, and writes what the file lacks of it. */
    void next(ArrayData values, Output output);

    /** For each value of that dictionary its index in the file's; null if it is the same. */
    long @Nullable [] map();

    /** Releases the copies that are kept to compare with. */
    @Override
    void close();
}
