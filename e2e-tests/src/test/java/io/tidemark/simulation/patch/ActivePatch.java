package io.tidemark.simulation.patch;

/** Which patch is active in the classes of one class loader; read by the code of all patches. */
public final class ActivePatch {
    /** The name of the field. */
    static final String FIELD = "number";

    /** Its number, from 1; 0 for none. */
    public static int number;

    private ActivePatch() {}
}
