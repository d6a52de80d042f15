package dev.arrowdevice.builder;

import dev.arrowdevice.Field;
import dev.arrowdevice.spi.ArrayData;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The builders of the fields of a struct or union, in order. */
final class Children implements Iterable<ArrayBuilder> {
    private final ArrayBuilder parent;
    private final List<ArrayBuilder> builders = new ArrayList<>();

    Children(ArrayBuilder parent, List<Field> fields) {
        this.parent = parent;
        fields.forEach(this::add);
    }

    ArrayBuilder add(Field field) {
        ArrayBuilder child = Builders.of(field, parent.memory, parent);
        builders.add(child);
        return child;
    }

    int size() {
        return builders.size();
    }

    ArrayBuilder get(int index) {
        return builders.get(index);
    }

    List<ArrayBuilder> toList() {
        return List.copyOf(builders);
    }

    @Override
    public Iterator<ArrayBuilder> iterator() {
        return builders.iterator();
    }

    /** The index of the first one with a name, or -1. */
    int indexOf(Object name) {
        for (int i = 0; i < builders.size(); i++) {
            if (nameOf(i).equals(name)) {
                return i;
            }
        }
        return -1;
    }

    private String nameOf(int index) {
        return builders.get(index).place.field().name();
    }

    /** The message for a name that no field has. */
    String unknown(Object name) {
        return "no field is named \"" + name + "\"; there are: " + names();
    }

    String names() {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < builders.size(); i++) {
            names.append(i == 0 ? "" : ", ").append(nameOf(i));
        }
        return names.toString();
    }

    /** Appends a filler to each child but one (-1: to all). {@code begun} says whether something was appended before. */
    void fill(int except, boolean begun) {
        boolean changed = begun;
        try {
            for (int i = 0; i < builders.size(); i++) {
                if (i != except) {
                    builders.get(i).putFiller();
                    changed = true;
                }
            }
        } catch (Throwable e) {
            if (changed) {
                parent.place.closeHalfway(e);
            }
            throw e;
        }
    }

    ArrayData[] build() {
        ArrayData[] data = new ArrayData[builders.size()];
        for (int i = 0; i < data.length; i++) {
            data[i] = builders.get(i).build();
        }
        return data;
    }

    void reset() {
        builders.forEach(ArrayBuilder::reset);
    }
}
