package io.tidemark.etcd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** An authority of our own and what it signs, made with the openssl program for one test. */
final class TestCertificates {
    private final Path folder;

    TestCertificates(Path folder) throws Exception {
        this.folder = Files.createDirectories(folder);
        Files.writeString(folder.resolve("san.cnf"), "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
        run(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-authority -keyout ca.key"
                        + " -out ca.pem");
        sign("server");
        sign("client");
    }

    private void sign(String name) throws Exception {
        run(
                "req -newkey rsa:2048 -nodes -subj /CN=%1$s -keyout %1$s.key -out %1$s.csr"
                        .formatted(name));
        run(
                "x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out %1$s.pem -extfile san.cnf"
                        .formatted(name));
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    /** Runs openssl in the folder; arguments stand between single spaces. */
    void run(String arguments) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of("openssl"), Arrays.stream(arguments.split(" "))).toList();
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }
}
