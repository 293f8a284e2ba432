package io.tidemark.simulation.patch;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;

/** A change to the code of a method. */
sealed interface Edit permits BodyEdit, InstructionEdit {
    /** Writes the instructions that replace one. */
    interface Replacement {
        void write(CodeBuilder code, CodeElement replaced);
    }

    /**
     * The instruction that is replaced.
     *
     * @param index among the elements of the method's code
     */
    record Site(MethodModel method, int index, Replacement replacement) {}

    /**
     * Finds what is to be changed.
     *
     * @param method every method of that name, with the lambdas in it
     * @throws IllegalStateException when the class does not have it
     */
    Site find(ClassModel type, String method);

    /** The method returns this at once; 0 is also false and null. */
    static Edit returns(int value) {
        return new BodyEdit(value);
    }

    /** The only call of a method in the code. */
    static InstructionEdit.Call call(String method) {
        return call(method, 1, 1);
    }

    /**
     * One of several calls of a method in the code.
     *
     * @param number from 1, in the order of the class file, where lambdas come last
     * @param of how many there are
     */
    static InstructionEdit.Call call(String method, int number, int of) {
        return new InstructionEdit.Call("", method, number, of);
    }

    /**
     * One of several creations of an object; see {@link #call(String, int, int)}.
     *
     * @param type its class, by its simple name
     */
    static InstructionEdit.Call creation(String type, int number, int of) {
        return new InstructionEdit.Call(type, "<init>", number, of);
    }

    /** The only read of a field in the code. */
    static InstructionEdit.Read read(String field) {
        return read(field, 1, 1);
    }

    /** One of several reads of a field; see {@link #call(String, int, int)}. */
    static InstructionEdit.Read read(String field, int number, int of) {
        return new InstructionEdit.Read(field, number, of);
    }

    /** One of several writes of a field; see {@link #call(String, int, int)}. */
    static InstructionEdit.Store store(String field, int number, int of) {
        return new InstructionEdit.Store(field, number, of);
    }

    /** The only use of a number in the code. */
    static InstructionEdit.Number number(long value) {
        return new InstructionEdit.Number(value);
    }
}
