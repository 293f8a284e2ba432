package io.tidemark.etcd;

import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.local.Ports;
import io.tidemark.local.etcd.EtcdSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A test authority and certificates signed by it, made with the openssl program. */
public record TestCertificates(Path folder) {
    public static TestCertificates make(Path folder) throws Exception {
        return make(folder, "IP:127.0.0.1,DNS:localhost");
    }

    /**
     * @param names of the server, in openssl's syntax
     */
    public static TestCertificates make(Path folder, String names) throws Exception {
        TestCertificates files = new TestCertificates(Files.createDirectories(folder));
        Files.writeString(files.file("san.cnf"), "subjectAltName=" + names + "\n");
        files.run(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=test-authority -keyout ca.key"
                        + " -out ca.pem");
        files.sign("server");
        files.sign("client");
        return files;
    }

    private void sign(String name) throws Exception {
        run(
                "req -newkey rsa:2048 -nodes -subj /CN=%1$s -keyout %1$s.key -out %1$s.csr"
                        .formatted(name));
        run(
                "x509 -req -in %1$s.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out %1$s.pem -extfile san.cnf"
                        .formatted(name));
    }

    /** Settings of an etcd with a secure URL, and a plain one for clients without a password. */
    public EtcdSettings settings(Path data, String secure, String... flags) throws IOException {
        int plain = Ports.pickFree("127.0.0.1");
        List<String> all =
                List.of(
                        "--unsafe-no-fsync",
                        "--listen-client-urls=http://127.0.0.1:%d,%s".formatted(plain, secure),
                        "--advertise-client-urls=" + secure,
                        "--cert-file=" + file("server.pem"),
                        "--key-file=" + file("server.key"));
        return EtcdSettings.in(data)
                .withClientPort(plain)
                .withFlags(Stream.concat(all.stream(), Stream.of(flags)).toArray(String[]::new));
    }

    /** Flags of an etcd that only accepts clients with a certificate. */
    public String[] requireClients() {
        return new String[] {"--trusted-ca-file=" + file("ca.pem"), "--client-cert-auth"};
    }

    /** The options of a client with a certificate. */
    public EtcdOptions client(String secure) {
        return EtcdOptions.of(secure)
                .withTls(file("ca.pem"), file("client.pem"), file("client.key"))
                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));
    }

    public Path file(String name) {
        return folder.resolve(name);
    }

    /** Runs openssl in the folder; arguments are separated by single spaces. */
    public void run(String arguments) throws IOException, InterruptedException {
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
