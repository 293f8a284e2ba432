package io.tidemark.simulation.patch;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.util.Objects;

/**
 * Loads production and the simulation once more, with one patch. All other classes come from the
 * parent, so only the JDK's types can pass between the two.
 */
final class PatchedClasses extends ClassLoader {
    private static final String RELOADED = "io.tidemark.";

    private final Patch patch;
    private final byte[] patched;

    /**
     * @throws IllegalStateException when the class does not have what is to be changed: a rename
     *     must not disable a patch
     */
    PatchedClasses(Patch patch) throws IOException, ClassNotFoundException {
        super("patched", PatchedClasses.class.getClassLoader());
        this.patch = patch;
        this.patched = patched();
        // Verifies the patched code now: the simulation might take an error for one of the world.
        var unused = Class.forName(patch.type(), true, this);
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
            byte[] loaded = name.equals(patch.type()) ? patched : original(name);
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

    private byte[] patched() throws IOException, ClassNotFoundException {
        ClassFile format =
                ClassFile.of(
                        ClassHierarchyResolverOption.of(
                                ClassHierarchyResolver.ofResourceParsing(
                                                Objects.requireNonNull(getParent()))
                                        .orElse(ClassHierarchyResolver.defaultResolver())));
        try {
            return patch.edit().apply(format, format.parse(original(patch.type())), patch.method());
        } catch (IllegalStateException e) {
            throw new IllegalStateException(patch + ": " + e.getMessage(), e);
        }
    }
}
