package io.tidemark.simulation.patch;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** What patches do with the operand stack. */
final class Stack {
    private Stack() {}

    /** Pushes a number; for a reference, null; nothing for void. */
    static CodeBuilder push(CodeBuilder code, TypeKind kind, long value) {
        return switch (kind.asLoadable()) {
            case INT -> code.loadConstant((int) value);
            case LONG -> code.loadConstant(value);
            case REFERENCE -> code.aconst_null();
            case VOID -> code;
            default -> throw new IllegalStateException("no constant of kind " + kind);
        };
    }

    /** Adds to the number on top. */
    static void add(CodeBuilder code, TypeKind kind, long value) {
        switch (kind.asLoadable()) {
            case INT -> code.loadConstant((int) value).iadd();
            case LONG -> code.loadConstant(value).ladd();
            default -> throw new IllegalStateException("no addition of kind " + kind);
        }
    }

    static void pop(CodeBuilder code, TypeKind kind) {
        if (kind.slotSize() == 2) {
            code.pop2();
        } else {
            code.pop();
        }
    }

    /** Pops a call's arguments, and its receiver if it has one. */
    static void popArguments(CodeBuilder code, InvokeInstruction call) {
        MethodTypeDesc type = call.typeSymbol();
        for (ClassDesc each : type.parameterList().reversed()) {
            pop(code, TypeKind.from(each));
        }
        if (call.opcode() != Opcode.INVOKESTATIC) {
            code.pop();
        }
    }

    /** Pops a call's arguments except one, which stays on top. The call must be static. */
    static void keepArgument(CodeBuilder code, InvokeInstruction call, int kept) {
        List<ClassDesc> types = call.typeSymbol().parameterList();
        TypeKind kind = TypeKind.from(types.get(kept)).asLoadable();
        int slot = code.allocateLocal(kind);
        for (int i = types.size() - 1; i >= 0; i--) {
            if (i == kept) {
                code.storeLocal(kind, slot);
            } else {
                pop(code, TypeKind.from(types.get(i)));
            }
        }
        code.loadLocal(kind, slot);
    }
}
