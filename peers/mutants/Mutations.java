import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What can be changed in the code of a method, one place at a time. */
final class Mutations {
    enum Operator {
        BOUNDARY,
        CONDITION,
        ARITHMETIC,
        CONSTANT,
        CALL,
        ASSIGNMENT,
        RETURN,
        HANDLER
    }

    /** One change: what the report says of it, and the code that takes the place of the element. */
    record Change(Operator operator, String what, Consumer<CodeBuilder> code) {}

    private static final Map<Opcode, Opcode> BOUNDARIES = new EnumMap<>(Opcode.class);
    private static final Map<Opcode, Opcode> OPPOSITES = new EnumMap<>(Opcode.class);
    private static final Map<Opcode, Opcode> OPERATORS = new EnumMap<>(Opcode.class);

    static {
        swapped(BOUNDARIES, Opcode.IFLT, Opcode.IFLE, Opcode.IFGE, Opcode.IFGT);
        swapped(BOUNDARIES, Opcode.IF_ICMPLT, Opcode.IF_ICMPLE, Opcode.IF_ICMPGE, Opcode.IF_ICMPGT);
        swapped(OPPOSITES, Opcode.IFEQ, Opcode.IFNE, Opcode.IFLT, Opcode.IFGE, Opcode.IFGT, Opcode.IFLE);
        swapped(OPPOSITES, Opcode.IF_ICMPEQ, Opcode.IF_ICMPNE, Opcode.IF_ICMPLT, Opcode.IF_ICMPGE);
        swapped(OPPOSITES, Opcode.IF_ICMPGT, Opcode.IF_ICMPLE, Opcode.IF_ACMPEQ, Opcode.IF_ACMPNE);
        swapped(OPPOSITES, Opcode.IFNULL, Opcode.IFNONNULL);
        swapped(OPERATORS, Opcode.IADD, Opcode.ISUB, Opcode.LADD, Opcode.LSUB);
        swapped(OPERATORS, Opcode.ISHL, Opcode.ISHR, Opcode.LSHL, Opcode.LSHR);
        swapped(OPERATORS, Opcode.IAND, Opcode.IOR, Opcode.LAND, Opcode.LOR);
        swapped(OPERATORS, Opcode.IMUL, Opcode.IDIV, Opcode.LMUL, Opcode.LDIV);
        OPERATORS.put(Opcode.IREM, Opcode.IMUL);
        OPERATORS.put(Opcode.LREM, Opcode.LMUL);
        OPERATORS.put(Opcode.IUSHR, Opcode.ISHL);
        OPERATORS.put(Opcode.LUSHR, Opcode.LSHL);
        OPERATORS.put(Opcode.IXOR, Opcode.IAND);
        OPERATORS.put(Opcode.LXOR, Opcode.LAND);
    }

    private static final Set<String> KOTLINS_CHECKS =
            Set.of("kotlin/jvm/internal/Intrinsics", "kotlin/ResultKt", "kotlin/jvm/internal/InlineMarker");

    private final MethodModel method;
    private final List<CodeElement> code;
    private final boolean kotlin;
    private final boolean suspending;

    Mutations(MethodModel method, CodeModel code, boolean kotlin) {
        this.method = method;
        this.code = code.elementList();
        this.kotlin = kotlin;
        this.suspending = kotlin
                && this.code.stream()
                        .anyMatch(e -> e instanceof InvokeInstruction call
                                && call.name().equalsString("getCOROUTINE_SUSPENDED"));
    }

    /** The changes of the element at a place. */
    List<Change> at(int place) {
        List<Change> changes = new ArrayList<>();
        if (kotlin && isOfStateMachine(place)) {
            return changes;
        }
        switch (code.get(place)) {
            case BranchInstruction branch -> branch(branch, changes);
            case OperatorInstruction operator -> {
                Opcode other = OPERATORS.get(operator.opcode());
                if (other != null) {
                    add(changes, Operator.ARITHMETIC, operator.opcode() + " to " + other,
                            b -> b.with(OperatorInstruction.of(other)));
                }
            }
            case IncrementInstruction i ->
                add(changes, Operator.ARITHMETIC, "+" + i.constant() + " to " + -i.constant(),
                        b -> b.iinc(i.slot(), -i.constant()));
            case ConstantInstruction constant -> constant(constant, place, changes);
            case InvokeInstruction call -> call(call, place, changes);
            case FieldInstruction field -> assignment(field, changes);
            case ReturnInstruction result -> result(result, place, changes);
            case ExceptionCatch handler -> handler(handler, changes);
            default -> {}
        }
        return changes;
    }

    private static void branch(BranchInstruction branch, List<Change> changes) {
        Opcode opcode = branch.opcode();
        Opcode boundary = BOUNDARIES.get(opcode);
        if (boundary != null) {
            add(changes, Operator.BOUNDARY, opcode + " to " + boundary,
                    b -> b.with(BranchInstruction.of(boundary, branch.target())));
        }
        Opcode opposite = OPPOSITES.get(opcode);
        if (opposite != null) {
            add(changes, Operator.CONDITION, opcode + " to " + opposite,
                    b -> b.with(BranchInstruction.of(opposite, branch.target())));
        }
    }

    private void constant(ConstantInstruction constant, int place, List<Change> changes) {
        switch (constant.constantValue()) {
            // 0 and 1 may be false and true.
            case Integer i when !(next(place) instanceof ReturnInstruction) -> {
                int other = i == 1 ? 0 : i + 1;
                add(changes, Operator.CONSTANT, i + " to " + other, b -> b.loadConstant(other));
            }
            case Long l ->
                add(changes, Operator.CONSTANT, l + "L to " + (l + 1) + "L", b -> b.loadConstant(l + 1));
            default -> {}
        }
    }

    private void call(InvokeInstruction call, int place, List<Change> changes) {
        String name = call.name().stringValue();
        MethodTypeDesc type = call.typeSymbol();
        boolean unused = next(place) instanceof StackInstruction pop
                && (pop.opcode() == Opcode.POP || pop.opcode() == Opcode.POP2);
        boolean isVoid = type.returnType().equals(ClassDesc.ofDescriptor("V"));
        if (name.equals("<init>") || KOTLINS_CHECKS.contains(call.owner().asInternalName())
                || name.equals("requireNonNull") || (!isVoid && !unused)) {
            return;
        }
        add(changes, Operator.CALL, "no call of " + name + "()", b -> {
            for (int i = type.parameterCount() - 1; i >= 0; i--) {
                pop(b, TypeKind.from(type.parameterType(i)));
            }
            if (call.opcode() != Opcode.INVOKESTATIC) {
                b.pop();
            }
            if (!isVoid) {
                zero(b, TypeKind.from(type.returnType()));
            }
        });
    }

    private void assignment(FieldInstruction field, List<Change> changes) {
        boolean assigns = field.opcode() == Opcode.PUTFIELD || field.opcode() == Opcode.PUTSTATIC;
        if (!assigns || method.methodName().stringValue().startsWith("<")) {
            return;
        }
        add(changes, Operator.ASSIGNMENT, "no assignment to " + field.name().stringValue(), b -> {
            pop(b, TypeKind.from(field.typeSymbol()));
            if (field.opcode() == Opcode.PUTFIELD) {
                b.pop();
            }
        });
    }

    private void result(ReturnInstruction result, int place, List<Change> changes) {
        TypeKind kind = result.typeKind();
        CodeElement before = previous(place);
        if (kind == TypeKind.VOID || (suspending && kind == TypeKind.REFERENCE)
                || (kotlin && before instanceof FieldInstruction field && field.name().equalsString("INSTANCE"))) {
            return;
        }
        if (method.methodTypeSymbol().returnType().equals(ClassDesc.ofDescriptor("Z"))) {
            add(changes, Operator.RETURN, "the opposite is returned", b -> b.iconst_1().ixor().ireturn());
            return;
        }
        String zero = kind == TypeKind.REFERENCE ? "null" : "0";
        boolean isZero = before instanceof ConstantInstruction constant
                && (constant.opcode() == Opcode.ACONST_NULL || constant.constantValue() instanceof Number n
                        && n.doubleValue() == 0);
        if (!isZero) {
            add(changes, Operator.RETURN, zero + " is returned", b -> {
                pop(b, kind);
                zero(b, kind);
                b.return_(kind);
            });
        }
    }

    private static void handler(ExceptionCatch handler, List<Change> changes) {
        if (handler.tryStart() != handler.handler()) { // Others guard the handler itself and are javac's.
            String caught = handler.catchType().map(t -> t.asInternalName().replaceAll(".*/", "")).orElse("finally");
            add(changes, Operator.HANDLER, "no handler: " + caught, b -> {});
        }
    }

    /** The label that the code of a handler begins with, for a handler; otherwise null. */
    static Object place(CodeElement element) {
        return element instanceof ExceptionCatch handler ? handler.handler() : null;
    }

    /** Whether kotlinc wrote this for a suspending function: labels, spilled variables, COROUTINE_SUSPENDED. */
    private boolean isOfStateMachine(int place) {
        CodeElement element = code.get(place);
        boolean identity = element instanceof BranchInstruction branch
                && (branch.opcode() == Opcode.IF_ACMPEQ || branch.opcode() == Opcode.IF_ACMPNE);
        if (suspending && identity) {
            return true;
        }
        if (element instanceof FieldInstruction field) {
            return isGeneratedField(field);
        }
        int seen = 0;
        for (int i = place - 1; i >= 0 && seen < 3; i--) {
            if (code.get(i) instanceof Instruction) {
                seen++;
                if (code.get(i) instanceof FieldInstruction field && isGeneratedField(field)
                        && (field.name().equalsString("label") && field.opcode() == Opcode.GETFIELD)) {
                    return true;
                }
            } else if (code.get(i) instanceof LabelTarget) {
                break;
            }
        }
        return next(place) instanceof FieldInstruction field && isGeneratedField(field)
                && element instanceof ConstantInstruction
                || nextButOne(place) instanceof FieldInstruction other && isGeneratedField(other)
                        && element instanceof ConstantInstruction;
    }

    private static boolean isGeneratedField(FieldInstruction field) {
        return field.name().stringValue().matches("[LIJZ]\\$\\d+|label|result");
    }

    private CodeElement next(int place) {
        int i = place + 1;
        while (i < code.size() && !(code.get(i) instanceof Instruction)) {
            i++;
        }
        return i < code.size() ? code.get(i) : null;
    }

    private CodeElement nextButOne(int place) {
        CodeElement next = next(place);
        return next == null ? null : next(code.indexOf(next));
    }

    private CodeElement previous(int place) {
        int i = place - 1;
        while (i >= 0 && !(code.get(i) instanceof Instruction)) {
            i--;
        }
        return i >= 0 ? code.get(i) : null;
    }

    private static void pop(CodeBuilder b, TypeKind kind) {
        if (kind.slotSize() == 2) {
            b.pop2();
        } else {
            b.pop();
        }
    }

    private static void zero(CodeBuilder b, TypeKind kind) {
        switch (kind.asLoadable()) {
            case LONG -> b.lconst_0();
            case FLOAT -> b.fconst_0();
            case DOUBLE -> b.dconst_0();
            case REFERENCE -> b.aconst_null();
            default -> b.iconst_0();
        }
    }

    private static void add(List<Change> changes, Operator operator, String what, Consumer<CodeBuilder> code) {
        changes.add(new Change(operator, what, code));
    }

    private static void swapped(Map<Opcode, Opcode> map, Opcode... pairs) {
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
            map.put(pairs[i + 1], pairs[i]);
        }
    }
}
