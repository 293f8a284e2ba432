package io.tidemark.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A certificate authority and a server's certificate for 127.0.0.1, made with the openssl program.
 */
public record Certificates(Path folder) {
    public static Certificates make(Path folder) throws Exception {
        Certificates files = new Certificates(Files.createDirectories(folder));
        Files.writeString(files.file("san.cnf"), "subjectAltName=IP:127.0.0.1\n");
        files.openssl(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-authority"
                        + " -keyout ca.key -out ca.pem");
        files.issue("server", "/CN=server");
        return files;
    }

    /**
     * Signs a certificate for 127.0.0.1, in the files {@code NAME.pem} and {@code NAME.key}.
     *
     * @param subject such as {@code /O=group/CN=user}
     */
    public void issue(String name, String subject) throws Exception {
        openssl(
                "req -newkey rsa:2048 -nodes -subj %2$s -keyout %1$s.key -out %1$s.csr"
                        .formatted(name, subject));
        openssl(
                "x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out %1$s.pem -extfile san.cnf"
                        .formatted(name));
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    private void openssl(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(Arrays.asList(arguments.split(" ")));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(arguments + ": " + output);
        }
    }
}
