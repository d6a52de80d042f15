package dev.arrowdevice.internal.binding;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Makes a class that implements an interface by method handles, one for each method. The handles are constants of the
 * class, so the JIT compiler turns a call of the interface into the native call itself. Java has nothing like that for
 * interfaces that are not public or have several methods, so this writes the class file. Each method is
 *
 * <pre>
 * return handle.invokeExact(arguments);
 * </pre>
 */
public final class BoundClass {
    private static final int ACC_PUBLIC = 1;
    private static final int ACC_FINAL = 0x10;
    private static final int ACC_SUPER = 0x20;

    private static final int ALOAD_0 = 42;
    private static final int LDC_W = 19;
    private static final int INVOKEVIRTUAL = 182;
    private static final int INVOKESPECIAL = 183;
    private static final int RETURN = 177;

    private static final String CLASS_DATA_AT = MethodType.methodType(
                    Object.class, MethodHandles.Lookup.class, String.class, Class.class, int.class)
            .toMethodDescriptorString();

    private final String name;
    private final String interfaceName;
    private final ConstantPool pool = new ConstantPool();

    private BoundClass(Class<?> type) {
        this.interfaceName = type.getName().replace('.', '/');
        this.name = interfaceName + "$Bound";
    }

    /**
     * Makes an object of such a class.
     *
     * @param lookup a lookup of a class in the interface's package, with all its rights
     * @param type the interface
     * @param methods its abstract methods
     * @param handles one handle for each method, of the same types
     * @throws IllegalAccessException if the lookup may not define a class
     */
    public static <T> T instance(
            MethodHandles.Lookup lookup, Class<T> type, List<Method> methods, List<MethodHandle> handles)
            throws IllegalAccessException {
        byte[] classFile = new BoundClass(type).write(methods);
        Class<?> made = lookup.defineHiddenClassWithClassData(classFile, List.copyOf(handles), true)
                .lookupClass();
        try {
            return type.cast(made.getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] write(List<Method> methods) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream members = new DataOutputStream(bytes)) {
            int self = pool.type(name);
            int parent = pool.type("java/lang/Object");
            int interfaceIndex = pool.type(interfaceName);
            members.writeShort(ACC_PUBLIC | ACC_FINAL | ACC_SUPER);
            members.writeShort(self);
            members.writeShort(parent);
            members.writeShort(1);
            members.writeShort(interfaceIndex);
            members.writeShort(0); // fields
            members.writeShort(methods.size() + 1);
            writeConstructor(members);
            for (int i = 0; i < methods.size(); i++) {
                writeMethod(members, methods.get(i), i);
            }
            members.writeShort(1); // attributes
            writeBootstraps(members, methods.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pool.withMembers(bytes.toByteArray());
    }

    private void writeConstructor(DataOutputStream out) throws IOException {
        int constructor = pool.method("java/lang/Object", "<init>", "()V");
        byte[] code = {ALOAD_0, (byte) INVOKESPECIAL, (byte) (constructor >> 8), (byte) constructor, (byte) RETURN};
        writeCode(out, "<init>", "()V", code, 1, 1);
    }

    private void writeMethod(DataOutputStream out, Method method, int index) throws IOException {
        MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
        String descriptor = type.toMethodDescriptorString();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int slot = 1;
        try (DataOutputStream code = new DataOutputStream(bytes)) {
            code.writeByte(LDC_W);
            code.writeShort(pool.dynamic(index, "_", "Ljava/lang/invoke/MethodHandle;"));
            for (Class<?> parameter : type.parameterList()) {
                code.writeByte(21 + kind(parameter)); // iload, lload, fload, dload
                code.writeByte(slot);
                slot += size(parameter);
            }
            code.writeByte(INVOKEVIRTUAL);
            code.writeShort(pool.method("java/lang/invoke/MethodHandle", "invokeExact", descriptor));
            Class<?> result = type.returnType();
            code.writeByte(result == void.class ? RETURN : 172 + kind(result)); // ireturn, lreturn, freturn, dreturn
        }
        writeCode(out, method.getName(), descriptor, bytes.toByteArray(), Math.max(slot, 2), slot);
    }

    /** The difference between the instructions for a type and those for {@code int}. */
    private static int kind(Class<?> type) {
        if (type == long.class) {
            return 1;
        }
        return type == float.class ? 2 : type == double.class ? 3 : 0;
    }

    private static int size(Class<?> type) {
        return type == long.class || type == double.class ? 2 : 1;
    }

    private void writeCode(DataOutputStream out, String method, String descriptor, byte[] code, int stack, int locals)
            throws IOException {
        out.writeShort(ACC_PUBLIC);
        out.writeShort(pool.text(method));
        out.writeShort(pool.text(descriptor));
        out.writeShort(1); // attributes
        out.writeShort(pool.text("Code"));
        out.writeInt(12 + code.length);
        out.writeShort(stack);
        out.writeShort(locals);
        out.writeInt(code.length);
        out.write(code);
        out.writeShort(0); // exceptions
        out.writeShort(0); // attributes
    }

    /** The constant number i is {@code MethodHandles.classDataAt(…, i)}. */
    private void writeBootstraps(DataOutputStream out, int count) throws IOException {
        int classDataAt = pool.staticMethodHandle("java/lang/invoke/MethodHandles", "classDataAt", CLASS_DATA_AT);
        out.writeShort(pool.text("BootstrapMethods"));
        out.writeInt(2 + 6 * count);
        out.writeShort(count);
        for (int i = 0; i < count; i++) {
            out.writeShort(classDataAt);
            out.writeShort(1);
            out.writeShort(pool.integer(i));
        }
    }
}
