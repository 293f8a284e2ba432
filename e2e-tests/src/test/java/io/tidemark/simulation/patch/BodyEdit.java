package io.tidemark.simulation.patch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.util.List;

/** The only method of a name returns a constant instead of running its code. */
record BodyEdit(int value) implements Edit {
    @Override
    public byte[] apply(ClassFile format, ClassModel type, String method) {
        List<MethodModel> found =
                type.methods().stream()
                        .filter(each -> each.methodName().equalsString(method))
                        .toList();
        if (found.size() != 1) {
            throw new IllegalStateException("%d methods %s, not 1".formatted(found.size(), method));
        }
        TypeKind kind = TypeKind.from(found.getFirst().methodTypeSymbol().returnType());
        MethodTransform body =
                (builder, element) -> {
                    if (element instanceof CodeModel) {
                        builder.withCode(code -> Stack.push(code, kind, value).return_(kind));
                    } else {
                        builder.with(element);
                    }
                };
        return format.transformClass(
                type, ClassTransform.transformingMethods(found.getFirst()::equals, body));
    }
}
