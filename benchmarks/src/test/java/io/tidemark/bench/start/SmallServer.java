package io.tidemark.bench.start;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A server that stores how often it has started, in a process that tests start. */
public final class SmallServer {
    /** How it behaves. */
    public enum Kind {
        USUAL,
        ENDS,
        NEVER_READY,
        IGNORES_SIGTERM
    }

    private SmallServer() {}

    /**
     * @param arguments its kind, its port, and its data folder
     */
    public static void main(String[] arguments) throws Exception {
        Kind kind = Kind.valueOf(arguments[0]);
        Path data = Path.of(arguments[2]);
        if (kind == Kind.ENDS) {
            System.out.println("it ends");
            System.exit(3);
        }
        if (kind == Kind.IGNORES_SIGTERM) {
            Runtime.getRuntime().addShutdownHook(new Thread(SmallServer::sleepForever));
        }
        // The folder "kept" is what "state" is built from.
        Files.createDirectories(data.resolve("kept"));
        Files.createDirectories(data.resolve("state"));
        count(data.resolve("kept/starts"));
        count(data.resolve("state/starts"));
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int port = Integer.parseInt(arguments[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 0);
        long ready = System.nanoTime() + 100_000_000;
        server.createContext(
                "/readyz",
                exchange -> {
                    boolean isReady = kind != Kind.NEVER_READY && System.nanoTime() - ready > 0;
                    answer(exchange, isReady ? 200 : 503, isReady ? "ok" : "not yet");
                });
        server.createContext("/api/v1/pods", exchange -> answer(exchange, 200, "{}"));
        server.start();
    }

    private static void count(Path file) throws IOException {
        int before = Files.exists(file) ? Integer.parseInt(Files.readString(file)) : 0;
        Files.writeString(file, Integer.toString(before + 1));
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static void sleepForever() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** What starts it, with all options that name its folders. */
    public static StartCommand command(Kind kind, URI base, Path data) {
        return new StartCommand(line(kind, base, data), data, data.resolve("state"));
    }

    static String line(Kind kind, URI base, Path data) {
        return String.format(
                Locale.ROOT,
                "'%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '%s' %s %s %d '%s'",
                Path.of(System.getProperty("java.home"), "bin", "java"),
                classPath(),
                SmallServer.class.getName(),
                kind,
                base.getPort(),
                data);
    }

    private static String classPath() {
        return classes(SmallServer.class) + File.pathSeparator + classes(StartCommand.class);
    }

    private static Path classes(Class<?> type) {
        return Path.of(
                URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    /** A URL at which nothing listens now. */
    public static URI freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return URI.create("http://127.0.0.1:" + socket.getLocalPort());
        }
    }
}
