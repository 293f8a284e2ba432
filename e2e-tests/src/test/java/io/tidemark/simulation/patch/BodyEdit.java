package io.tidemark.simulation.patch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.util.List;

/** The only method of a name returns a constant instead of running its code. */
record BodyEdit(int value) implements Edit {
    @Override
    public Site find(ClassModel type, String method) {
        List<MethodModel> found =
                type.methods().stream()
                        .filter(each -> each.methodName().equalsString(method))
                        .toList();
        if (found.size() != 1) {
            throw new IllegalStateException("%d methods %s, not 1".formatted(found.size(), method));
        }
        MethodModel only = found.getFirst();
        TypeKind kind = TypeKind.from(only.methodTypeSymbol().returnType());
        return new Site(
                only,
                firstInstruction(only),
                (code, _) -> Stack.push(code, kind, value).return_(kind));
    }

    private static int firstInstruction(MethodModel method) {
        int index = 0;
        for (CodeElement element : method.code().orElseThrow()) {
            if (element instanceof Instruction) {
                return index;
            }
            index++;
        }
        throw new IllegalStateException(method + " has no instructions");
    }
}
