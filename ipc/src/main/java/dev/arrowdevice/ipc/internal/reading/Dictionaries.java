package dev.arrowdevice.ipc.internal.reading;

import dev.arrowdevice.Validation;
import dev.arrowdevice.ipc.ArrowIpcException;
import dev.arrowdevice.ipc.IpcReadOptions;
import dev.arrowdevice.ipc.internal.format.BatchHeader;
import dev.arrowdevice.ipc.internal.format.DictionaryPlan;
import dev.arrowdevice.ipc.internal.format.Guard;
import dev.arrowdevice.ipc.internal.format.SchemaPlan;
import dev.arrowdevice.spi.ArrayData;
import dev.arrowdevice.spi.OwnedArrays;
import dev.arrowdevice.spi.ReferenceCounted;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.jspecify.annotations.Nullable;

/**
 * The dictionaries that a stream or file has sent so far. A message with values is kept as it is until a batch needs them:
 * writers differ in whether a nested dictionary comes before the one whose values refer to it. A batch keeps the dictionaries
 * it was made with.
 */
final class Dictionaries implements AutoCloseable {
    private final SchemaPlan plan;
    private final IpcReadOptions options;
    private final BodyMemory memory;
    private final Map<Long, Entry> entries = new HashMap<>();

    Dictionaries(SchemaPlan plan, IpcReadOptions options, BodyMemory memory) {
        this.plan = plan;
        this.options = options;
        this.memory = memory;
    }

    /** One dictionary. */
    private static final class Entry {
        /** Messages whose values are not in {@link #values} yet. If it refers to other dictionaries, all of them. */
        final List<IpcMessage> parts = new ArrayList<>();
        /** Those of the parts that are. */
        int used;

        /** Keeps the memory of the values alive. */
        ReferenceCounted owner = ReferenceCounted.nothing();
        /** Keeps the nested dictionaries alive. */
        ReferenceCounted nestedOwner = ReferenceCounted.nothing();

        @Nullable
        ArrayData values;
        /** The nested dictionaries that the values refer to. */
        List<ArrayData> nested = List.of();

        void clear() {
            parts.forEach(IpcMessage::close);
            parts.clear();
            used = 0;
            values = null;
            owner.release();
            owner = ReferenceCounted.nothing();
            nestedOwner.release();
            nestedOwner = ReferenceCounted.nothing();
        }
    }

    /** Takes a message over, which it closes. */
    synchronized void accept(IpcMessage message, boolean replaces) {
        boolean taken = false;
        try {
            Target target = target(message);
            long id = target.id();
            Entry entry = entries.get(id);
            if (!plan.dictionaries().containsKey(id)) {
                throw new ArrowIpcException(message.position(), "dictionary " + id + " is of no field of the schema");
            }
            if (target.delta() && entry == null) {
                throw new ArrowIpcException(
                        message.position(), "dictionary " + id + " is continued, and was not sent before");
            }
            if (!target.delta() && entry != null) {
                if (!replaces) {
                    throw new ArrowIpcException(
                            message.position(), "dictionary " + id + " is sent twice; a file has it once");
                }
                entry.clear();
            }
            if (entry == null) {
                entry = new Entry();
                entries.put(id, entry);
            }
            entry.parts.add(message);
            taken = true;
        } finally {
            if (!taken) {
                message.close();
            }
        }
    }

    private static DictionaryBatch header(IpcMessage message) {
        return (DictionaryBatch) Guard.require(message.flat().header(new DictionaryBatch()), "header");
    }

    /** Which dictionary a message is of, and whether it continues what was sent of it. */
    private record Target(long id, boolean delta) {}

    private static Target target(IpcMessage message) {
        return Guard.reading(message.position(), "the dictionary", () -> {
            DictionaryBatch header = header(message);
            return new Target(header.id(), header.isDelta());
        });
    }

    /**
     * The values of a dictionary as they are now.
     *
     * @param position the message that needs them
     * @param owners gets a reference to what keeps them alive
     */
    synchronized ArrayData values(DictionaryPlan dictionary, long position, List<ReferenceCounted> owners) {
        Entry entry = resolve(dictionary, position);
        entry.owner.retain();
        owners.add(entry.owner);
        if (!entry.nested.isEmpty()) {
            entry.nestedOwner.retain();
            owners.add(entry.nestedOwner);
        }
        return entry.values;
    }

    private Entry resolve(DictionaryPlan dictionary, long position) {
        Entry entry = entries.get(dictionary.id());
        if (entry == null) {
            throw new ArrowIpcException(
                    position, "the message needs dictionary " + dictionary.id() + ", which was not sent");
        }
        List<ArrayData> nested = new ArrayList<>();
        for (DictionaryPlan inner : dictionary.nested()) {
            nested.add(resolve(inner, position).values);
        }
        boolean sameNested = isSame(nested, entry.nested);
        if (entry.values != null && sameNested && entry.used == entry.parts.size()) {
            return entry;
        }
        if (!sameNested) {
            entry.values = null;
            entry.used = 0;
        }
        extend(entry, dictionary, position);
        entry.nested = nested;
        return entry;
    }

    private static boolean isSame(List<ArrayData> left, List<ArrayData> right) {
        boolean same = left.size() == right.size();
        for (int i = 0; same && i < left.size(); i++) {
            same = left.get(i) == right.get(i);
        }
        return same;
    }

    /** Adds the values of the messages that are not in yet. */
    private void extend(Entry entry, DictionaryPlan dictionary, long position) {
        List<ArrayData> pieces = new ArrayList<>();
        List<ReferenceCounted> owners = new ArrayList<>();
        List<ReferenceCounted> nestedOwners = new ArrayList<>();
        try {
            boolean continues = entry.values != null;
            if (continues) {
                pieces.add(entry.values);
                entry.owner.retain();
                owners.add(entry.owner);
            }
            for (IpcMessage part : entry.parts.subList(entry.used, entry.parts.size())) {
                pieces.add(piece(part, dictionary, owners, nestedOwners));
            }
            ArrayData values = pieces.get(0);
            if (pieces.size() > 1) {
                Concatenation joined = Guard.reading(
                        position,
                        "dictionary " + dictionary.id(),
                        () -> Concatenation.of(pieces, memory, options.getMaxBatchBytes()));
                values = joined.values();
                owners.forEach(ReferenceCounted::release);
                owners.clear();
                owners.add(joined.owner());
            }
            ReferenceCounted owner = ReferenceCounted.all(owners.toArray(new ReferenceCounted[0]));
            owners.clear();
            entry.owner.release();
            entry.owner = owner;
            entry.values = values;
            if (!continues) { // All pieces refer to the same nested dictionaries, those of before too.
                ReferenceCounted nested = ReferenceCounted.all(nestedOwners.toArray(new ReferenceCounted[0]));
                nestedOwners.clear();
                entry.nestedOwner.release();
                entry.nestedOwner = nested;
            }
        } finally {
            owners.forEach(ReferenceCounted::release);
            nestedOwners.forEach(ReferenceCounted::release);
        }
        entry.used = entry.parts.size();
        if (dictionary.nested().isEmpty()) {
            entry.parts.forEach(IpcMessage::close);
            entry.parts.clear();
            entry.used = 0;
        }
    }

    /**
     * The values of a message.
     *
     * @param owners gets what keeps their memory alive
     * @param nestedOwners gets what keeps the dictionaries alive that they refer to
     */
    private ArrayData piece(
            IpcMessage message,
            DictionaryPlan dictionary,
            List<ReferenceCounted> owners,
            List<ReferenceCounted> nestedOwners) {
        return Guard.reading(message.position(), "dictionary " + dictionary.id(), () -> {
            BatchHeader header = BatchHeader.ofDictionary(message.position(), message.flat(), header(message));
            BatchBuffers buffers = BatchBuffers.of(header, message, memory, options.getMaxBatchBytes());
            owners.add(buffers.owner());
            ArrayData values = new ArrayAssembler(
                            header,
                            buffers,
                            message.body().getDevice(),
                            inner -> values(inner, message.position(), nestedOwners))
                    .values(dictionary.values());
            check(values);
            return values;
        });
    }

    /** Values are joined, so they are checked before that, whatever the options say. */
    private void check(ArrayData values) {
        OwnedArrays.of(values, ReferenceCounted.nothing(), null, Validation.STRUCTURE)
                .close();
    }

    @Override
    public synchronized void close() {
        entries.values().forEach(Entry::clear);
        entries.clear();
    }
}
