package dev.arrowdevice.spi;

import dev.arrowdevice.InternalArrowApi;
import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.internal.owners.Owners;

/** Ends the borrows of batches that a {@code Flow} has lent to its collector. */
@InternalArrowApi
public final class BorrowedBatches {
    private static final String AFTER_EMIT =
            "the batch was borrowed from a flow and is closed: the collector is done with it. Read what you need of it "
                    + "before this step, with map; to keep batches write collectBatches(), or keep a share() in a collection "
                    + "of yours, and close that. In place of flowOn write asFlow(context = …), in place of buffer "
                    + "asFlow(prefetch = …) or asyncDeviceStream(window = …); docs/flows.md has each operator";

    private BorrowedBatches() {}

    /**
     * Closes a batch after {@code emit} has returned. A later use throws an exception that says what to write instead.
     * Idempotent, never throws. Does nothing after a move.
     */
    public static void end(RecordBatch batch) {
        Owners.state(Owners.struct(batch)).endBorrow(AFTER_EMIT);
    }
}
