package io.tidemark.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** One Pod as a process. */
final class ChartPod {
    private static final int PROBE_MILLIS = 5_000;

    private final String name;
    private final String address;
    private final int port;
    private final List<String> command;
    private final Map<String, String> environment;
    private final Path log;
    private @Nullable Process process;

    /**
     * @param port of the readiness probe
     */
    ChartPod(
            String name,
            String address,
            int port,
            List<String> command,
            Map<String, String> environment,
            Path log) {
        this.name = name;
        this.address = address;
        this.port = port;
        this.command = List.copyOf(command);
        this.environment = Map.copyOf(environment);
        this.log = log;
    }

    String name() {
        return name;
    }

    String address() {
        return address;
    }

    String url() {
        return "https://%s:%d".formatted(address, port);
    }

    /** What the process has said so far. */
    String log() throws IOException {
        return Files.readString(log);
    }

    void start() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().clear();
        builder.environment().putAll(environment);
        process = builder.start();
    }

    boolean isAlive() {
        Process running = process;
        return running != null && running.isAlive();
    }

    /** The process id; only while it runs. */
    long pid() {
        Process running = process;
        if (running == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return running.pid();
    }

    /** As the kubelet asks: without a login, and without a look at the certificate. */
    boolean isReady() {
        try (Socket socket = TrustingAll.CONTEXT.getSocketFactory().createSocket(address, port)) {
            socket.setSoTimeout(PROBE_MILLIS);
            socket.getOutputStream()
                    .write(
                            "GET /readyz HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
                                    .formatted(address, port)
                                    .getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            return new String(in.readNBytes(12), StandardCharsets.US_ASCII).equals("HTTP/1.1 200");
        } catch (IOException _) {
            return false;
        }
    }

    /** SIGKILL. */
    void kill() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
            running.waitFor();
        }
    }

    /** SIGTERM. The chart's 30 s would judge a busy machine. */
    void terminate() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroy();
            if (!running.waitFor(2, TimeUnit.MINUTES)) {
                throw new IllegalStateException(name + " did not end within two minutes");
            }
        }
    }

    private static final class TrustingAll implements X509TrustManager {
        static final SSLContext CONTEXT = make();

        private static SSLContext make() {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {new TrustingAll()}, null);
                return context;
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("a client only");
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            // The kubelet does not look either.
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
