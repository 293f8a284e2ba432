package io.tidemark.schema;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.stream.Collectors;

/** The build's step: writes a table for each package and their {@code index} into a folder. */
public final class GenerateSchemas {
    private static final String CLASSES = "io/kubernetes/client/proto/";
    private static final String CLASS = ".class";

    private GenerateSchemas() {}

    /**
     * Runs the generator.
     *
     * @param args the folder
     * @throws IllegalStateException when descriptors and exceptions do not fit together
     */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Map<String, String> tables = SchemaGenerator.generate(descriptors(), exceptions());
        Files.createDirectories(folder);
        for (Map.Entry<String, String> table : tables.entrySet()) {
            write(folder.resolve(table.getKey() + ".schema"), table.getValue());
        }
        write(
                folder.resolve("index"),
                tables.keySet().stream()
                        .map(name -> name + ".schema\n")
                        .collect(Collectors.joining()));
    }

    /** A file that stays as it is keeps its time: Maven packs a jar again for a newer one. */
    private static void write(Path file, String content) throws IOException {
        if (!Files.exists(file) || !Files.readString(file).equals(content)) {
            Files.writeString(file, content);
        }
    }

    static List<String> exceptions() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(GenerateSchemas.class.getResourceAsStream("exceptions"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }

    /** Of all files in the library; a new one needs no change here. */
    static List<FileDescriptor> descriptors()
            throws IOException, URISyntaxException, ReflectiveOperationException {
        Path library =
                Path.of(Meta.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<FileDescriptor> descriptors = new ArrayList<>();
        try (JarFile jar = new JarFile(library.toFile())) {
            List<String> names =
                    jar.stream()
                            .map(entry -> entry.getName())
                            .filter(name -> name.startsWith(CLASSES) && name.endsWith(CLASS))
                            .filter(name -> !name.contains("$"))
                            .sorted()
                            .toList();
            for (String name : names) {
                String type = name.substring(0, name.length() - CLASS.length()).replace('/', '.');
                descriptors.add(
                        (FileDescriptor)
                                Class.forName(type).getMethod("getDescriptor").invoke(null));
            }
        }
        return descriptors;
    }
}
