package io.tidemark.simulation.patch;

import io.tidemark.simulation.promise.Promise;
import java.util.ArrayList;
import java.util.List;

/**
 * A plausible mistake inside one method of production, and the promise that must detect it.
 *
 * @param type the class, by its binary name
 * @param method every method of that name, with the lambdas in it
 * @param edit what is changed in the method
 * @param does the mistake in plain words
 * @param breaks the promise that must detect it
 */
record Patch(String type, String method, Edit edit, String does, Promise breaks) {
    /** Those that few seeds catch. */
    static List<Patch> all() {
        List<Patch> all = new ArrayList<>();
        all.addAll(ConnectorPatches.all());
        all.addAll(StorePatches.all());
        all.addAll(ReadPatches.all());
        all.addAll(WatchPatches.all());
        all.addAll(NodePatches.all());
        all.addAll(AccessPatches.all());
        return List.copyOf(all);
    }

    /** The class and the method, as a reader knows them. */
    String place() {
        return type.substring(type.lastIndexOf('.') + 1) + "." + method;
    }

    @Override
    public String toString() {
        return place() + ": " + does;
    }
}
