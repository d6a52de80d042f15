package dev.arrowdevice.internal.abi;

import org.jspecify.annotations.Nullable;

/** The Java side of an exported struct, which our callbacks call. */
public interface Exported {
    /** The stack of the export, if stacks are captured. */
    @Nullable
    Throwable allocation();

    /** An array tree. The {@code private_data} of each of its structs refers to it. */
    interface Array extends Exported {
        /** Releases a node of the tree: the struct at an address, which the consumer may have moved. */
        void release(long array);
    }

    /** A stream. */
    interface Stream extends Exported {
        /** Fills the schema, and returns 0 or an error code. */
        int getSchema(long schema);

        /** Fills the array, or marks it released at the end. Returns 0 or an error code. */
        int getNext(long array);

        /** The address of the text of the last error, or 0 if the last call succeeded. */
        long getLastError();

        /** Releases the stream. */
        void release();
    }

    /** A handler that a foreign producer calls; see {@code ArrowAsyncDeviceStreamHandler}. */
    interface Handler extends Exported {
        /** Receives the schema at an address, which is valid during the call. */
        int onSchema(long schema);

        /** Receives the task at an address, which is valid during the call. 0 is the end of the stream. */
        int onNextTask(long task, long metadata);

        /** Receives a failure of the producer. */
        void onError(int code, long message, long metadata);

        /** The last call. */
        void release();
    }

    /** A producer that a foreign consumer calls; see {@code ArrowAsyncProducer}. */
    interface Producer extends Exported {
        /** The consumer requests {@code n} more arrays. */
        void request(long n);

        /** The consumer cancels the stream. */
        void cancel();
    }

    /** A task that a consumer has; see {@code ArrowAsyncTask}. */
    interface Task extends Exported {
        /** Fills the device array at an address, or discards it if the address is 0. Called once. */
        int extractData(long out);
    }

    /** A DLPack tensor. Its {@code manager_ctx} refers to it. */
    interface Tensor extends Exported {
        /** Deletes the struct at an address. Called once. */
        void delete(long struct);
    }
}
