package io.tidemark.chaos.process;

import io.tidemark.http.testing.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The links between the processes. Each process calls the others by name, and has a separate hosts
 * file (the JDK's {@code jdk.net.hosts.file}) with the address of each name. So a proxy can be put
 * between any two of them: only that file names it, and the address that a broker or a node
 * advertises stays the same for all. A proxy listens at the port of the process behind it, at the
 * pair's own loopback address.
 */
public final class Links implements AutoCloseable {
    private static final String DIRECT = "127.0.0.1";

    private final Path folder;
    private final LinkedHashMap<String, Integer> ports;
    private final boolean proxied;
    private final Map<Pair, TcpProxy> proxies = new TreeMap<>();
    private int callers;

    private record Pair(String from, String to) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            return toString().compareTo(other.toString());
        }
    }

    /**
     * @param ports at which each process is called by others
     * @param proxied whether {@link #cut} can be used
     */
    Links(Path folder, Map<String, Integer> ports, boolean proxied) {
        this.folder = folder;
        this.ports = new LinkedHashMap<>(ports);
        this.proxied = proxied;
    }

    /** The JVM option that gives {@code from} its view of the others. */
    String option(String from) throws IOException {
        callers++;
        StringBuilder hosts = new StringBuilder(DIRECT + " localhost\n");
        List<String> names = new ArrayList<>(ports.keySet());
        for (int i = 0; i < names.size(); i++) {
            String to = names.get(i);
            boolean through = proxied && !to.equals(from);
            String address = through ? "127.1.%d.%d".formatted(callers, i + 1) : DIRECT;
            if (through) {
                int port = ports.getOrDefault(to, 0);
                proxies.put(new Pair(from, to), new TcpProxy(at(address, port), at(DIRECT, port)));
            }
            hosts.append(address).append(' ').append(to).append('\n');
        }
        return file(from, hosts.toString());
    }

    /** The same for a process whose links are never cut. */
    String direct(String from) throws IOException {
        return file(from, DIRECT + " localhost " + String.join(" ", ports.keySet()) + "\n");
    }

    private String file(String from, String hosts) throws IOException {
        Path file = folder.resolve(from + ".hosts");
        Files.writeString(file, hosts);
        return "-Djdk.net.hosts.file=" + file.toAbsolutePath();
    }

    private static InetSocketAddress at(String address, int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByName(address), port);
    }

    public boolean isProxied() {
        return proxied;
    }

    /** From now on nothing that {@code from} has begun with {@code to} passes. */
    public void cut(String from, String to) {
        proxy(from, to).cut();
    }

    public void heal(String from, String to) {
        proxy(from, to).heal();
    }

    private TcpProxy proxy(String from, String to) {
        TcpProxy proxy = proxies.get(new Pair(from, to));
        if (proxy == null) {
            throw new IllegalStateException("no proxy between " + from + " and " + to);
        }
        return proxy;
    }

    @Override
    public void close() throws IOException {
        for (TcpProxy proxy : proxies.values()) {
            proxy.close();
        }
    }
}
