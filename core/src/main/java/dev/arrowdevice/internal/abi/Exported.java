package dev.arrowdevice.internal.abi;

import org.jspecify.annotations.Nullable;

/** What our callbacks act on: the Java side of a struct that was handed out. */
public interface Exported {
    /** Where it was handed out, if stacks are captured. */
    @Nullable
    Throwable allocation();

    /** An array tree; {@code private_data} of each of its structs leads here. */
    interface Array extends Exported {
        /** A node of the tree is released: the struct at an address, which the consumer may have moved. */
        void release(long array);
    }

    /** A stream. */
    interface Stream extends Exported {
        /** Fills the schema and returns 0 or an error code. */
        int getSchema(long schema);

        /** Fills the array, or marks it released at the end, and returns 0 or an error code. */
        int getNext(long array);

        /** The address of the text of the last error, 0 if the last call succeeded. */
        long getLastError();

        /** The consumer is done. */
        void release();
    }

    /** A handler that a foreign producer calls; see {@code ArrowAsyncDeviceStreamHandler}. */
    interface Handler extends Exported {
        /** The schema has come, at an address that is valid during the call. */
        int onSchema(long schema);

        /** A task has come, at an address that is valid during the call, or the end of the stream: 0. */
        int onNextTask(long task, long metadata);

        /** The producer has failed. */
        void onError(int code, long message, long metadata);

        /** The last call. */
        void release();
    }

    /** A producer whose consumer calls back; see {@code ArrowAsyncProducer}. */
    interface Producer extends Exported {
        /** The consumer wants that many arrays more. */
        void request(long n);

        /** The consumer wants no more. */
        void cancel();
    }

    /** A task in a consumer's hands; see {@code ArrowAsyncTask}. */
    interface Task extends Exported {
        /** Fills the device array at an address, or discards it if that is 0; called once. */
        int extractData(long out);
    }

    /** A DLPack tensor; {@code manager_ctx} leads here. */
    interface Tensor extends Exported {
        /** The consumer is done with the struct at an address; called once. */
        void delete(long struct);
    }
}
