package io.tidemark.simulation.patch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Loads production and the simulation once more, with patches, of which one is active. All other
 * classes come from the parent, so only the JDK's types can pass between the two. One thread may
 * use the loaded classes.
 */
final class PatchedClasses extends ClassLoader {
    private static final String RELOADED = "io.tidemark.";

    private final List<Patch> patches;
    private final Map<String, byte[]> patched = new HashMap<>();

    private PatchedClasses(List<Patch> patches) {
        super("patched", PatchedClasses.class.getClassLoader());
        this.patches = List.copyOf(patches);
    }

    /**
     * With all of these patches; none is active.
     *
     * @throws IllegalStateException when a class does not have what is to be changed: a rename must
     *     not disable a patch
     */
    static PatchedClasses of(List<Patch> patches) throws IOException, ReflectiveOperationException {
        return of(patches, 0);
    }

    /** With this patch, which is active from the beginning. */
    static PatchedClasses of(Patch patch) throws IOException, ReflectiveOperationException {
        return of(List.of(patch), 1);
    }

    private static PatchedClasses of(List<Patch> patches, int active)
            throws IOException, ReflectiveOperationException {
        PatchedClasses classes = new PatchedClasses(patches);
        classes.patch();
        classes.activate(active);
        // Verifies the patched code now: the simulation might take an error for one of the world.
        for (Patch patch : patches) {
            var unused = Class.forName(patch.type(), true, classes);
        }
        return classes;
    }

    /** From here on the classes have this one of the patches only. */
    void activate(Patch patch) throws ReflectiveOperationException {
        int index = patches.indexOf(patch);
        if (index < 0) {
            throw new IllegalArgumentException(patch + " is not one of these patches");
        }
        activate(1 + index);
    }

    private void activate(int number) throws ReflectiveOperationException {
        loadClass(ActivePatch.class.getName()).getField(ActivePatch.FIELD).setInt(null, number);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(RELOADED)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            byte[] bytes = patched.get(name);
            byte[] loaded = bytes == null ? original(name) : bytes;
            return defineClass(name, loaded, 0, loaded.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private byte[] original(String name) throws IOException, ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        }
    }

    private void patch() throws IOException, ClassNotFoundException {
        ClassFile format =
                ClassFile.of(
                        ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(
                                                Objects.requireNonNull(getParent()))
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
        Map<String, PatchedClass> types = new HashMap<>();
        for (int i = 0; i < patches.size(); i++) {
            Patch patch = patches.get(i);
            PatchedClass type = types.get(patch.type());
            if (type == null) {
                type = new PatchedClass(format.parse(original(patch.type())));
                types.put(patch.type(), type);
            }
            type.add(1 + i, patch);
        }
        types.forEach((name, type) -> patched.put(name, type.bytes(format)));
    }
}
