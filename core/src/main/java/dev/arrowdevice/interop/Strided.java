package dev.arrowdevice.interop;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the elements of an n-dimensional array lie. Strides and sizes are in bytes.
 *
 * @param address of the element whose indexes are all 0
 * @param shape the size of each dimension, the outermost first
 * @param strides from one element to the next in each dimension
 * @param itemSize the bytes of one element, above 0
 * @param count how many elements there are
 */
record Strided(long address, List<Long> shape, List<Long> strides, int itemSize, long count) {
    private static final int MAX_RANK = 64;

    /**
     * Checks shape and strides.
     *
     * @param strides in bytes, or null for the C-contiguous layout
     * @throws IllegalArgumentException for a negative size, a number of elements or bytes beyond 64 bits, as many strides
     *     as there are no dimensions, no address for elements that are there, and elements outside of the address space
     */
    static Strided of(long address, List<Long> shape, @Nullable List<Long> strides, int itemSize) {
        if (shape.size() > MAX_RANK) {
            throw new IllegalArgumentException("shape has " + shape.size() + " dimensions, more than " + MAX_RANK);
        }
        if (itemSize <= 0) {
            throw new IllegalArgumentException("elements of " + itemSize + " bytes have no place in memory");
        }
        long count = shape.contains(0L) ? 0 : 1;
        try {
            for (long size : shape) {
                if (size < 0) {
                    throw new IllegalArgumentException("shape " + shape + " has a negative size");
                }
                count = Math.multiplyExact(count, size);
            }
            Math.multiplyExact(count, (long) itemSize);
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("shape " + shape + " has more elements than 64 bits can address", e);
        }
        if (strides != null && strides.size() != shape.size()) {
            throw new IllegalArgumentException(
                    strides.size() + " strides " + strides + " for the " + shape.size() + " dimensions of " + shape);
        }
        List<Long> known = strides == null ? contiguous(shape, itemSize) : List.copyOf(strides);
        Strided result = new Strided(address, List.copyOf(shape), known, itemSize, count);
        if (count > 0) {
            if (address == 0) {
                throw new IllegalArgumentException("the data pointer is 0, but shape " + shape + " has elements");
            }
            result.checkExtent();
        }
        return result;
    }

    /** The strides of the C-contiguous layout; where there are no elements those of one element a dimension. */
    private static List<Long> contiguous(List<Long> shape, int itemSize) {
        Long[] strides = new Long[shape.size()];
        long stride = itemSize;
        for (int i = strides.length - 1; i >= 0; i--) {
            strides[i] = stride;
            stride *= Math.max(1, shape.get(i));
        }
        return List.of(strides);
    }

    private void checkExtent() {
        try {
            long low = Math.addExact(address, lowest());
            Math.addExact(address, highest());
            if (address < 0 || low <= 0) {
                throw new IllegalArgumentException("strides " + strides + " of shape " + shape + " at " + hex(address)
                        + " lead out of the address space");
            }
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "strides " + strides + " of shape " + shape + " lead out of the address space", e);
        }
    }

    /** The first byte of all elements, from the address; 0 or less. */
    long lowest() {
        return extent(false);
    }

    /** The end of all elements, from the address. */
    long highest() {
        return count == 0 ? 0 : Math.addExact(extent(true), (long) itemSize);
    }

    private long extent(boolean upwards) {
        long sum = 0;
        for (int i = 0; count > 0 && i < shape.size(); i++) {
            if (strides.get(i) > 0 == upwards) {
                sum = Math.addExact(sum, Math.multiplyExact(shape.get(i) - 1, strides.get(i)));
            }
        }
        return sum;
    }

    /**
     * Checks that all elements lie within an allocation.
     *
     * @throws IllegalArgumentException if they don't
     */
    void requireWithin(long start, long byteSize) {
        if (count > 0 && (address + lowest() < start || address + highest() > start + byteSize)) {
            throw new IllegalArgumentException("elements at " + hex(address + lowest()) + " to "
                    + hex(address + highest()) + " leave the allocation of " + byteSize + " bytes at " + hex(start));
        }
    }

    /** Whether the elements lie one after the other in the order of their indexes. */
    boolean isContiguous() {
        long stride = itemSize;
        for (int i = shape.size() - 1; i >= 0 && count > 0; i--) {
            if (shape.get(i) > 1 && strides.get(i) != stride) {
                return false;
            }
            stride *= shape.get(i);
        }
        return true;
    }

    /**
     * The dimensions in the order of their strides, the outermost staying where it is: what is contiguous in any order of its
     * inner dimensions is so in this one.
     */
    List<Integer> physicalOrder() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < shape.size(); i++) {
            order.add(i);
        }
        if (isContiguous()) {
            return order; // Also for dimensions of size 1, whose strides say nothing.
        }
        order.subList(1, order.size()).sort((a, b) -> Long.compare(reach(b), reach(a)));
        return order;
    }

    /** The stride of a dimension, the longest one for a dimension of size 1. */
    private long reach(int dimension) {
        return shape.get(dimension) <= 1 ? Long.MAX_VALUE : strides.get(dimension);
    }

    /** The same elements with the dimensions in another order. */
    Strided permuted(List<Integer> order) {
        List<Long> newShape = new ArrayList<>();
        List<Long> newStrides = new ArrayList<>();
        for (int dimension : order) {
            newShape.add(shape.get(dimension));
            newStrides.add(strides.get(dimension));
        }
        return new Strided(address, List.copyOf(newShape), List.copyOf(newStrides), itemSize, count);
    }

    /** The same elements elsewhere. */
    Strided at(long newAddress) {
        return new Strided(newAddress, shape, strides, itemSize, count);
    }

    /** The strides in elements; each must be a multiple of the element's size. */
    List<Long> elementStrides() {
        List<Long> result = new ArrayList<>();
        for (long stride : strides) {
            result.add(stride / itemSize);
        }
        return List.copyOf(result);
    }

    /** Strides in bytes from strides in elements. */
    static List<Long> byteStrides(List<Long> elementStrides, int itemSize) {
        List<Long> result = new ArrayList<>();
        for (long stride : elementStrides) {
            try {
                result.add(Math.multiplyExact(stride, (long) itemSize));
            } catch (ArithmeticException e) {
                throw new IllegalArgumentException("a stride of " + stride + " elements overflows 64 bits", e);
            }
        }
        return List.copyOf(result);
    }

    static String hex(long address) {
        return "0x" + Long.toHexString(address);
    }
}
