package dev.arrowdevice.internal.binding;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The constants of a class file that is being written. Equal constants are there once. */
final class ConstantPool {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int JAVA_17 = 61;

    private static final int UTF_8 = 1;
    private static final int INTEGER = 3;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;
    private static final int METHOD_HANDLE = 15;
    private static final int DYNAMIC = 17;

    private static final int REF_INVOKE_STATIC = 6;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final Map<List<Object>, Integer> known = new HashMap<>();

    private interface Content {
        void write() throws IOException;
    }

    int text(String text) {
        return add(UTF_8, List.of(UTF_8, text), () -> out.writeUTF(text));
    }

    int integer(int value) {
        return add(INTEGER, List.of(INTEGER, value), () -> out.writeInt(value));
    }

    int type(String name) {
        int text = text(name);
        return add(CLASS, List.of(CLASS, text), () -> out.writeShort(text));
    }

    int method(String type, String name, String descriptor) {
        return pair(METHOD, type(type), nameAndType(name, descriptor));
    }

    int staticMethodHandle(String type, String name, String descriptor) {
        int method = method(type, name, descriptor);
        return add(METHOD_HANDLE, List.of(METHOD_HANDLE, method), () -> {
            out.writeByte(REF_INVOKE_STATIC);
            out.writeShort(method);
        });
    }

    /** A constant that a bootstrap method makes. */
    int dynamic(int bootstrap, String name, String descriptor) {
        return pair(DYNAMIC, bootstrap, nameAndType(name, descriptor));
    }

    /** The class file of these constants and the members that follow them. */
    byte[] withMembers(byte[] members) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(file)) {
            data.writeInt(MAGIC);
            data.writeShort(0);
            data.writeShort(JAVA_17);
            data.writeShort(known.size() + 1);
            data.write(bytes.toByteArray());
            data.write(members);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return file.toByteArray();
    }

    private int nameAndType(String name, String descriptor) {
        return pair(NAME_AND_TYPE, text(name), text(descriptor));
    }

    private int pair(int tag, int first, int second) {
        return add(tag, List.of(tag, first, second), () -> {
            out.writeShort(first);
            out.writeShort(second);
        });
    }

    private int add(int tag, List<Object> key, Content content) {
        Integer index = known.get(key);
        if (index != null) {
            return index;
        }
        try {
            out.writeByte(tag);
            content.write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        known.put(key, known.size() + 1);
        return known.size();
    }
}
