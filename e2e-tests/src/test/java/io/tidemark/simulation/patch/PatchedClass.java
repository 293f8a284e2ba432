package io.tidemark.simulation.patch;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes a class with the patches of it. Each of their instructions asks {@link ActivePatch} which
 * patch is active, and is unchanged for others.
 */
final class PatchedClass {
    private static final ClassDesc ACTIVE = ActivePatch.class.describeConstable().orElseThrow();

    private final ClassModel type;
    private final List<NumberedSite> sites = new ArrayList<>();

    private record NumberedSite(int number, Edit.Site site) {
        boolean isAt(MethodModel method, int index) {
            return site.method().equals(method) && site.index() == index;
        }
    }

    PatchedClass(ClassModel type) {
        this.type = type;
    }

    /**
     * Adds a patch.
     *
     * @param number of the patch, for {@link ActivePatch}
     * @throws IllegalStateException when the class does not have what is to be changed
     */
    void add(int number, Patch patch) {
        try {
            sites.add(new NumberedSite(number, patch.edit().find(type, patch.method())));
        } catch (IllegalStateException e) {
            throw new IllegalStateException(patch + ": " + e.getMessage(), e);
        }
    }

    byte[] bytes(ClassFile format) {
        Set<MethodModel> methods = new HashSet<>();
        sites.forEach(each -> methods.add(each.site().method()));
        return format.transformClass(
                type,
                (builder, element) -> {
                    if (element instanceof MethodModel method && methods.contains(method)) {
                        builder.transformMethod(
                                method,
                                MethodTransform.transformingCode(
                                        CodeTransform.ofStateful(() -> of(method))));
                    } else {
                        builder.with(element);
                    }
                });
    }

    private CodeTransform of(MethodModel method) {
        int[] next = {0};
        return (code, element) -> write(code, method, next[0]++, element);
    }

    private void write(CodeBuilder code, MethodModel method, int index, CodeElement element) {
        List<NumberedSite> here = sites.stream().filter(each -> each.isAt(method, index)).toList();
        if (here.isEmpty()) {
            code.with(element);
            return;
        }
        Label end = code.newLabel();
        for (NumberedSite each : here) {
            Label other = code.newLabel();
            code.getstatic(ACTIVE, ActivePatch.FIELD, ConstantDescs.CD_int)
                    .loadConstant(each.number())
                    .if_icmpne(other);
            each.site().replacement().write(code, element);
            code.goto_(end).labelBinding(other);
        }
        code.with(element).labelBinding(end);
    }
}
