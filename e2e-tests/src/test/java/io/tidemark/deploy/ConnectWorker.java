package io.tidemark.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A standalone worker of Kafka Connect as a process, with the plugin zip of the build and the
 * examples of {@code deploy/connect}, in which only places are replaced.
 */
final class ConnectWorker {
    static final Path EXAMPLES = Path.of("..", "deploy", "connect");
    private static final Path BUILD = Path.of("..", "connect-transform", "target");

    private final Path folder;
    private final List<Path> files = new ArrayList<>();
    private int starts;

    /**
     * Unpacks the plugin and writes the configurations.
     *
     * @param places texts of the examples and what stands there instead; each must occur
     */
    ConnectWorker(Path folder, Map<String, String> places, String... sinks) throws IOException {
        this.folder = Files.createDirectories(folder);
        Path plugins = folder.resolve("plugins");
        unzip(pluginZip(), plugins);
        StringBuilder all = new StringBuilder();
        List<String> names = new ArrayList<>(List.of("worker"));
        names.addAll(List.of(sinks));
        for (String name : names) {
            Path example = EXAMPLES.resolve(name + ".properties");
            all.append(Files.readString(example));
            String text = Files.readString(example).replace("/opt/connect-plugins", plugins + "");
            for (Map.Entry<String, String> place : places.entrySet()) {
                text = text.replace(place.getKey(), place.getValue());
            }
            files.add(Files.writeString(folder.resolve(name + ".properties"), text));
        }
        // Notices the end of a killed worker soon.
        Files.writeString(
                files.getFirst(),
                "consumer.session.timeout.ms=6000\nconsumer.heartbeat.interval.ms=1000\n",
                StandardOpenOption.APPEND);
        for (String place : places.keySet()) {
            if (all.indexOf(place) < 0) {
                throw new IllegalArgumentException("no example says " + place);
            }
        }
    }

    private static Path pluginZip() throws IOException {
        try (var zips = Files.newDirectoryStream(BUILD, "tidemark-connect-*.zip")) {
            return zips.iterator().next();
        }
    }

    private static void unzip(Path zip, Path target) throws IOException {
        try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                Path file = target.resolve(entry.getName()).normalize();
                if (!file.startsWith(target)) {
                    throw new IOException("outside of the folder: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(in, file);
                }
            }
        }
    }

    private Path logging() throws IOException {
        return Files.writeString(
                folder.resolve("logback.xml"),
                """
                <configuration>
                  <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%d %-5level %logger{0}: %msg%n</pattern></encoder>
                  </appender>
                  <root level="WARN"><appender-ref ref="console"/></root>
                </configuration>
                """);
    }

    /**
     * Starts the worker; its output is appended to {@code worker.log}. From the second time on it
     * does not scan all classes for plugins, which takes longer than the rest of its start.
     */
    Process start() throws IOException {
        if (starts++ == 1) {
            Files.writeString(
                    files.getFirst(), "plugin.discovery=service_load\n", StandardOpenOption.APPEND);
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx512m",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-Dlogback.configurationFile=" + logging(),
                                "-cp",
                                BUILD.resolve("worker").toAbsolutePath() + "/*",
                                "org.apache.kafka.connect.cli.ConnectStandalone"));
        files.forEach(file -> command.add(file.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    Path log() {
        return folder.resolve("worker.log");
    }
}
