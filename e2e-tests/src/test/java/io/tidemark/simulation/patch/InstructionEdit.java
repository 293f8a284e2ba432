package io.tidemark.simulation.patch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * One instruction is replaced by others.
 *
 * @param what it is, for messages
 * @param is recognizes it
 * @param number which one of those that are recognized, from 1
 * @param of how many there must be
 * @param replacement writes the others
 */
record InstructionEdit(
        String what, Predicate<CodeElement> is, int number, int of, Replacement replacement)
        implements Edit {
    @Override
    public Site find(ClassModel type, String method) {
        List<Site> found = new ArrayList<>();
        for (MethodModel each : type.methods()) {
            if (isIn(each, method)) {
                each.code()
                        .ifPresent(code -> {
                            int index = 0;
                            for (CodeElement element : code) {
                                if (is.test(element)) {
                                    found.add(new Site(each, index, replacement));
                                }
                                index++;
                            }
                        });
            }
        }
        if (found.size() != of) {
            throw new IllegalStateException(
                    "%s: %d times in %s, not %d".formatted(what, found.size(), method, of));
        }
        return found.get(number - 1);
    }

    private static boolean isIn(MethodModel each, String method) {
        String name = each.methodName().stringValue();
        return name.equals(method) || name.startsWith("lambda$" + method + "$");
    }

    /**
     * A call, found by the name of the called method.
     *
     * @param owner how the name of its class ends
     */
    record Call(String owner, String method, int number, int of) {
        private interface CallReplacement {
            void write(CodeBuilder code, InvokeInstruction call);
        }

        private Edit edit(CallReplacement replacement) {
            return new InstructionEdit(
                    "a call of " + owner + " " + method,
                    element ->
                            element instanceof InvokeInstruction call
                                    && call.name().equalsString(method)
                                    && call.owner().asInternalName().endsWith(owner),
                    number,
                    of,
                    (code, element) -> replacement.write(code, (InvokeInstruction) element));
        }

        /** It is not made, and its result is null, 0 or false. */
        Edit dropped() {
            return returns(0);
        }

        /** It is not made, and this is its result. */
        Edit returns(long value) {
            return edit((code, call) -> {
                Stack.popArguments(code, call);
                Stack.push(code, resultOf(call), value);
            });
        }

        /** It is not made, and one of its arguments, from 0, is the result; if it is static. */
        Edit returnsArgument(int index) {
            return edit((code, call) -> Stack.keepArgument(code, call, index));
        }

        /** It is not made, and the object that it is called on is its result; without arguments. */
        Edit returnsReceiver() {
            return edit((code, call) -> {
                if (call.typeSymbol().parameterCount() > 0) {
                    throw new IllegalStateException(method + " has arguments");
                }
            });
        }

        /** Its boolean result is inverted. */
        Edit negated() {
            return edit((code, call) -> code.with(call).iconst_1().ixor());
        }

        /** Its result is higher by this. */
        Edit plus(long value) {
            return edit((code, call) -> Stack.add(code.with(call), resultOf(call), value));
        }

        /** Its last argument is higher by this. */
        Edit lastArgumentPlus(long value) {
            return edit((code, call) -> {
                Stack.add(code, TypeKind.from(call.typeSymbol().parameterList().getLast()), value);
                code.with(call);
            });
        }

        /** Another method of the same class with the same types is called. */
        Edit calls(String other) {
            return edit((code, call) ->
                    code.invoke(
                            call.opcode(),
                            call.owner().asSymbol(),
                            other,
                            call.typeSymbol(),
                            call.isInterface()));
        }

        private static TypeKind resultOf(InvokeInstruction call) {
            return TypeKind.from(call.typeSymbol().returnType());
        }
    }

    /** A read of a field, found by its name. */
    record Read(String field, int number, int of) {
        private Edit edit(FieldReplacement replacement) {
            return fieldEdit(
                    "a read of " + field,
                    field,
                    List.of(Opcode.GETFIELD, Opcode.GETSTATIC),
                    number,
                    of,
                    replacement);
        }

        /** Its value is higher by this. */
        Edit plus(long value) {
            return edit((code, read) -> Stack.add(code.with(read), kindOf(read), value));
        }

        /** This is read instead. */
        Edit returns(long value) {
            return edit((code, read) -> {
                if (read.opcode() == Opcode.GETFIELD) {
                    code.pop();
                }
                Stack.push(code, kindOf(read), value);
            });
        }

        /** Another field of the same class and type is read. */
        Edit reads(String other) {
            return edit((code, read) ->
                    code.fieldAccess(
                            read.opcode(), read.owner().asSymbol(), other, read.typeSymbol()));
        }
    }

    /** A write of a field, found by its name. */
    record Store(String field, int number, int of) {
        private Edit edit(FieldReplacement replacement) {
            return fieldEdit(
                    "a write of " + field,
                    field,
                    List.of(Opcode.PUTFIELD),
                    number,
                    of,
                    replacement);
        }

        /** It is not made. */
        Edit dropped() {
            return edit((code, store) -> {
                Stack.pop(code, kindOf(store));
                code.pop();
            });
        }

        /** This is written. */
        Edit writes(long value) {
            return edit((code, store) -> {
                Stack.pop(code, kindOf(store));
                Stack.push(code, kindOf(store), value).with(store);
            });
        }
    }

    /** A number. */
    record Number(long value) {
        /** It is another one. */
        Edit becomes(long other) {
            return new InstructionEdit(
                    "the number " + value,
                    element ->
                            element instanceof ConstantInstruction constant
                                    && constant.constantValue() instanceof java.lang.Number number
                                    && number.longValue() == value,
                    1,
                    1,
                    (code, element) ->
                            Stack.push(code, ((ConstantInstruction) element).typeKind(), other));
        }
    }

    private interface FieldReplacement {
        void write(CodeBuilder code, FieldInstruction access);
    }

    private static Edit fieldEdit(
            String what,
            String field,
            List<Opcode> opcodes,
            int number,
            int of,
            FieldReplacement replacement) {
        return new InstructionEdit(
                what,
                element ->
                        element instanceof FieldInstruction access
                                && opcodes.contains(access.opcode())
                                && access.name().equalsString(field),
                number,
                of,
                (code, element) -> replacement.write(code, (FieldInstruction) element));
    }

    private static TypeKind kindOf(FieldInstruction access) {
        return TypeKind.from(access.typeSymbol());
    }
}
