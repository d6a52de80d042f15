package dev.arrowdevice.peers.arrowcpp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The full expression in which a C++ function is called: holds the temporaries that C++ would make for its arguments
 * and its result, and destroys them in reverse order at the end.
 */
final class CppScope implements AutoCloseable, SegmentAllocator {
    private static final CppFunction NEW = CppFunction.named("_Znwm");
    private static final CppFunction DELETE = CppFunction.named("_ZdlPv");
    private static final CppFunction STRING = CppFunction.named("_ZNSsC1EPKcmRKSaIcE");
    private static final long STATUS = 8;

    private final Arena arena = Arena.ofConfined();
    private final Deque<Runnable> destructors = new ArrayDeque<>();

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
        return arena.allocate(byteSize, byteAlignment);
    }

    /** Zeroed memory for this scope. */
    long block(long byteSize) {
        return allocate(byteSize, Long.BYTES).address();
    }

    /** The argument for a {@code shared_ptr<X> const&}, which shares the object's own reference. */
    long reference(CppObject object) {
        long pointer = block(CppMemory.SHARED_PTR);
        object.copyTo(pointer);
        return pointer;
    }

    /** The argument for a {@code shared_ptr<X>} by value: a temporary of its own, from which the callee may move. */
    long copy(CppObject object) {
        return copy(reference(object));
    }

    /** The same for the {@code shared_ptr} at that address. */
    long copy(long sharedPtr) {
        long pointer = block(CppMemory.SHARED_PTR);
        CppMemory.putLong(pointer, CppMemory.getLong(sharedPtr));
        CppMemory.putLong(pointer + Long.BYTES, CppMemory.getLong(sharedPtr + Long.BYTES));
        CppMemory.retain(CppMemory.getLong(pointer + Long.BYTES));
        return destroyedLater(pointer);
    }

    /** The argument for a {@code shared_ptr<X>} by value that is null. */
    long nullPointer() {
        return block(CppMemory.SHARED_PTR);
    }

    /** The {@code shared_ptr} at that address is destroyed at the end; if moved from until then, nothing happens. */
    long destroyedLater(long sharedPtr) {
        destructors.push(() -> CppMemory.destroySharedPtr(sharedPtr));
        return sharedPtr;
    }

    /** The argument for a {@code vector<shared_ptr<X>> const&} or for one by value. */
    long vector(List<? extends CppObject> objects) {
        long elements = vector(objects.size(), CppMemory.SHARED_PTR);
        long element = CppMemory.getLong(elements);
        for (CppObject object : objects) {
            object.copyTo(element);
            CppMemory.retain(CppMemory.getLong(element + Long.BYTES));
            element += CppMemory.SHARED_PTR;
        }
        return elements;
    }

    /**
     * A vector of elements that begin with a {@code shared_ptr} and are otherwise trivial. Its memory comes from
     * {@code operator new}, for a callee may take it over.
     */
    long vector(int size, long elementSize) {
        long vector = block(3 * Long.BYTES);
        if (size == 0) {
            return vector;
        }
        long begin = NEW.call(size * elementSize);
        long end = begin + size * elementSize;
        CppMemory.putLong(vector, begin);
        CppMemory.putLong(vector + 8, end);
        CppMemory.putLong(vector + 16, end);
        destructors.push(() -> {
            long first = CppMemory.getLong(vector);
            if (first != 0) {
                for (long element = first; element < CppMemory.getLong(vector + 8); element += elementSize) {
                    CppMemory.destroySharedPtr(element);
                }
                DELETE.call(first);
            }
        });
        return vector;
    }

    /** The argument for a {@code std::string const&}. */
    long string(String text) {
        long string = block(Long.BYTES);
        long characters = characters(text);
        STRING.call(string, characters, utf8Length(text), block(Long.BYTES));
        destructors.push(() -> CppMemory.destroyString(string));
        return string;
    }

    /** Characters in UTF-8 with a zero at the end: the argument for a {@code char const*}. */
    long characters(String text) {
        return arena.allocateFrom(text).address();
    }

    static long utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Calls a function that returns a {@code Status}; throws {@link CppException} unless it is OK. */
    void status(CppFunction function, long... arguments) {
        CppException.check(this, function.returning(this, arguments));
    }

    /** Calls a function that returns a {@code Result<X>}; the address of the X, now the caller's, is returned. */
    long result(CppFunction function, long... arguments) {
        long result = function.returning(this, arguments);
        CppException.check(this, result);
        return result + STATUS;
    }

    /** Calls a function that returns a {@code shared_ptr}, destroyed at the end unless moved from until then. */
    long pointer(CppFunction function, long... arguments) {
        return destroyedLater(function.returning(this, arguments));
    }

    /** Calls a function that returns a {@code std::string}. */
    String text(CppFunction function, long... arguments) {
        return CppMemory.takeString(function.returning(this, arguments));
    }

    @Override
    public void close() {
        while (!destructors.isEmpty()) {
            destructors.pop().run();
        }
        arena.close();
    }

    /** An array of addresses as a pointer to it. */
    long addresses(long... values) {
        return arena.allocateFrom(ValueLayout.JAVA_LONG, values).address();
    }
}
