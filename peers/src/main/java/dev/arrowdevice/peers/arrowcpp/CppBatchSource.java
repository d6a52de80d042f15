package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** An {@code arrow::Iterator<shared_ptr<RecordBatch>>} for C++ that Java implements. */
public interface CppBatchSource {
    /** The next batch, which C++ takes over, or null at the end; an exception is a failed {@code Status}. */
    @Nullable
    CppRecordBatch next();

    /** Writes the iterator there: a deleter, what it deletes, and the function that gets the next batch. */
    static long iterator(CppScope scope, CppBatchSource source) {
        return scope.addresses(Iterators.DELETE, Iterators.add(source), Iterators.NEXT);
    }

    /** The sources that C++ holds, by the number that it takes for a pointer. */
    final class Iterators {
        private static final Map<Long, CppBatchSource> LIVE = new ConcurrentHashMap<>();
        private static final AtomicLong LAST = new AtomicLong();

        private static final CppFunction STATUS = CppFunction.named("_ZN5arrow6StatusC1ENS_10StatusCodeERKSs");
        private static final int UNKNOWN_ERROR = 9;

        /** A {@code Result<shared_ptr<RecordBatch>>}: status, object, control block. */
        private static final MemoryLayout RESULT =
                MemoryLayout.structLayout(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

        private static final long BATCH = 8;

        private static final long NEXT =
                stub("next", MemorySegment.class, FunctionDescriptor.of(RESULT, ValueLayout.JAVA_LONG));
        private static final long DELETE = stub("delete", void.class, FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));

        private Iterators() {}

        private static long add(CppBatchSource source) {
            long id = LAST.incrementAndGet();
            LIVE.put(id, source);
            return id;
        }

        private static MemorySegment next(long id) {
            MemorySegment result = Arena.ofAuto().allocate(RESULT);
            try {
                CppRecordBatch batch = LIVE.get(id).next();
                if (batch != null) {
                    batch.moveTo(result.address() + BATCH);
                }
            } catch (Throwable failure) {
                try (CppScope scope = new CppScope()) {
                    STATUS.call(result.address(), UNKNOWN_ERROR, scope.string(String.valueOf(failure.getMessage())));
                }
            }
            return result;
        }

        private static void delete(long id) {
            LIVE.remove(id);
        }

        @SuppressWarnings("restricted")
        private static long stub(String method, Class<?> result, FunctionDescriptor function) {
            try {
                return Linker.nativeLinker()
                        .upcallStub(
                                MethodHandles.lookup()
                                        .findStatic(Iterators.class, method, MethodType.methodType(result, long.class)),
                                function,
                                Arena.global())
                        .address();
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }
}
