package dev.arrowdevice.ipc.internal.writing;

import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.spi.ArrayData;

/** What is written of a dictionary that a batch has, and which indices refer to it. */
abstract class DictionaryPolicy implements AutoCloseable {
    /** Writes values of a dictionary. */
    interface Output {
        void write(DictionaryPlan dictionary, boolean delta, ArrayData values);
    }

    /**
     * Writes what readers lack of a dictionary. Called for nested dictionaries first.
     *
     * @param values those of a batch; they are copied if they are needed later
     * @param maps gets a map if the indices must change
     */
    abstract void visit(DictionaryPlan dictionary, ArrayData values, IndexMaps maps, Output output);

    /** Releases the copies that are kept to compare with. Idempotent, never throws. */
    @Override
    public abstract void close();
}
