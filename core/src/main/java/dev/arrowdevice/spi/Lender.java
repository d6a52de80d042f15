package dev.arrowdevice.spi;

import dev.arrowdevice.RecordBatch;
import dev.arrowdevice.internal.owners.Owners;

/** Who lends batches for a limited time, and what the exception of a later use says. */
public enum Lender {
    /** A {@code Flow}, whose elements are closed when {@code emit} returns. */
    FLOW("the batch was borrowed from a flow and is closed: the collector is done with it. Read what you need of it "
            + "before this step, with map; to keep batches write collectBatches(), or keep a share() in a collection "
            + "of yours, and close that. In place of flowOn write asFlow(context = …), in place of buffer asFlow(prefetch = …) or "
            + "asyncDeviceStream(window = …); docs/flows.md has each operator");

    private final String advice;

    Lender(String advice) {
        this.advice = advice;
    }

    /** Closes a batch whose time is over. Idempotent, never throws; does nothing after a move. */
    public void expire(RecordBatch batch) {
        Owners.state(Owners.struct(batch)).expire(advice);
    }
}
