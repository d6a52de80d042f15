import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.List;
import java.util.Set;

/** Recognises what nobody wrote: a compiler adds it, so its mutants are no mistakes that somebody could make. */
final class Generated {
    private static final Set<String> OF_ENUMS = Set.of("values", "valueOf");
    private static final Set<String> OF_RECORDS = Set.of("equals", "hashCode", "toString");

    private Generated() {}

    static boolean isMethod(ClassModel model, MethodModel method, CodeModel code) {
        String name = method.methodName().stringValue();
        boolean made = (method.flags().flagsMask() & 0x1040) != 0; // Synthetic or a bridge.
        return (made && !name.startsWith("lambda$"))
                || name.equals("<clinit>")
                || name.contains("$$forInline")
                || isInline(name, code)
                || (OF_ENUMS.contains(name) && isEnum(model))
                || isOfRecord(model, method, name);
    }

    /** Whether this is the copy of an inline function of Kotlin that nothing calls. */
    private static boolean isInline(String name, CodeModel code) {
        return code.elementStream()
                .anyMatch(e -> e instanceof LocalVariable v && v.name().equalsString("$i$f$" + name));
    }

    private static boolean isEnum(ClassModel model) {
        return model.superclass().map(s -> s.asInternalName().equals("java/lang/Enum")).orElse(false);
    }

    private static boolean isOfRecord(ClassModel model, MethodModel method, String name) {
        return model.findAttribute(Attributes.record())
                .map(record -> OF_RECORDS.contains(name)
                        || (method.methodTypeSymbol().parameterCount() == 0
                                && record.components().stream().anyMatch(c -> c.name().equalsString(name))))
                .orElse(false);
    }

    /** Whether this is a part of a try-with-resources statement, or a mark of an inlined function of Kotlin. */
    static boolean isElement(List<CodeElement> code, int place) {
        return switch (code.get(place)) {
            case InvokeInstruction call -> call.name().equalsString("addSuppressed");
            case ExceptionCatch handler -> {
                int at = 0;
                while (!(code.get(at) instanceof LabelTarget target && target.label() == handler.handler())) {
                    at++;
                }
                yield code.subList(at, Math.min(at + 8, code.size())).stream().anyMatch(Generated::isSuppressed);
            }
            case ConstantInstruction constant -> {
                int slot = place + 1 < code.size() && code.get(place + 1) instanceof StoreInstruction store
                        ? store.slot()
                        : -1;
                yield slot >= 0
                        && code.stream().anyMatch(e -> e instanceof LocalVariable v
                                && v.slot() == slot
                                && v.name().stringValue().startsWith("$i$"));
            }
            default -> false;
        };
    }

    private static boolean isSuppressed(CodeElement element) {
        return element instanceof InvokeInstruction call && call.name().equalsString("addSuppressed");
    }
}
