package io.tidemark.etcd.connection;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How to reach an etcd cluster.
 *
 * @param endpoints {@code http://host:port} or {@code https://host:port}, tried in this order
 * @param caFile PEM file with the trusted authorities; null for those that Java trusts. When this
 *     file or the next two change, new connections use their new content
 * @param clientCertificate PEM file with the client certificate and its chain; null for none
 * @param clientKey PEM file with its key: PKCS#8, PKCS#1 or SEC1, without a passphrase
 * @param user null when etcd has no users or identifies the client by its certificate
 * @param password of the user; requires https for all endpoints
 * @param callTimeout for a call with all its attempts; a watch is a call until it is created
 * @param connectTimeout after which the next endpoint is tried
 * @param maxInboundMessageBytes limit of one answer; etcd accepts values of 1.5 MiB, and a page
 *     holds several
 */
public record EtcdOptions(
        List<URI> endpoints,
        @Nullable Path caFile,
        @Nullable Path clientCertificate,
        @Nullable Path clientKey,
        @Nullable String user,
        @Nullable String password,
        Duration callTimeout,
        Duration connectTimeout,
        int maxInboundMessageBytes) {
    private static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final int DEFAULT_MAX_INBOUND_MESSAGE_BYTES = 32 << 20;

    /** An event may carry two values of 1.5 MiB: a lower limit would stop a watch. */
    private static final int MIN_INBOUND_MESSAGE_BYTES = 4 << 20;

    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

    public EtcdOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException(
                    "no etcd endpoint given; example: http://127.0.0.1:2379");
        }
        endpoints.forEach(EtcdOptions::requireEndpoint);
        requireTls(endpoints, caFile, clientCertificate, clientKey);
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException(
                    "etcd user and password must be given both or neither");
        }
        if (password != null) {
            endpoints.forEach(EtcdOptions::requireSecret);
        }
        requireTimeout("call", callTimeout);
        requireTimeout("connect", connectTimeout);
        if (maxInboundMessageBytes < MIN_INBOUND_MESSAGE_BYTES) {
            throw new IllegalArgumentException(
                    "the limit of etcd's messages must be at least %d bytes, not %d"
                            .formatted(MIN_INBOUND_MESSAGE_BYTES, maxInboundMessageBytes));
        }
    }

    /** Default options, as for a list of endpoints. */
    public static EtcdOptions of(String... endpoints) {
        return of(List.of(endpoints));
    }

    /** Default options; an endpoint that is not a URL is rejected with a readable message. */
    public static EtcdOptions of(List<String> endpoints) {
        return new EtcdOptions(
                endpoints.stream().map(EtcdOptions::parseEndpoint).toList(),
                null,
                null,
                null,
                null,
                null,
                DEFAULT_CALL_TIMEOUT,
                DEFAULT_CONNECT_TIMEOUT,
                DEFAULT_MAX_INBOUND_MESSAGE_BYTES);
    }

    /**
     * @throws IllegalArgumentException when a file cannot be read, when only one of certificate and
     *     key is given, or when no endpoint is https
     */
    public EtcdOptions withTls(
            @Nullable Path newCaFile, @Nullable Path newCertificate, @Nullable Path newKey) {
        return new EtcdOptions(
                endpoints,
                newCaFile,
                newCertificate,
                newKey,
                user,
                password,
                callTimeout,
                connectTimeout,
                maxInboundMessageBytes);
    }

    /**
     * @throws IllegalArgumentException when only one is given, or an endpoint is plain http
     */
    public EtcdOptions withUser(@Nullable String newUser, @Nullable String newPassword) {
        return new EtcdOptions(
                endpoints,
                caFile,
                clientCertificate,
                clientKey,
                newUser,
                newPassword,
                callTimeout,
                connectTimeout,
                maxInboundMessageBytes);
    }

    /**
     * @throws IllegalArgumentException when one is not positive, or longer than ten minutes
     */
    public EtcdOptions withTimeouts(Duration newCallTimeout, Duration newConnectTimeout) {
        return new EtcdOptions(
                endpoints,
                caFile,
                clientCertificate,
                clientKey,
                user,
                password,
                newCallTimeout,
                newConnectTimeout,
                maxInboundMessageBytes);
    }

    /**
     * @param bytes at least 4 MiB
     */
    public EtcdOptions withMaxInboundMessageBytes(int bytes) {
        return new EtcdOptions(
                endpoints,
                caFile,
                clientCertificate,
                clientKey,
                user,
                password,
                callTimeout,
                connectTimeout,
                bytes);
    }

    /** All options but the password. */
    @Override
    public String toString() {
        return "EtcdOptions[endpoints=%s, caFile=%s, clientCertificate=%s, user=%s, callTimeout=%s]"
                .formatted(endpoints, caFile, clientCertificate, user, callTimeout);
    }

    private static URI parseEndpoint(String text) {
        try {
            return URI.create(text.strip());
        } catch (IllegalArgumentException _) {
            // Its message would show a password in the URL.
            throw new IllegalArgumentException(
                    "etcd endpoint '%s' is not a URL; example: http://127.0.0.1:2379"
                            .formatted(withoutUser(text)));
        }
    }

    private static void requireEndpoint(URI endpoint) {
        boolean http = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        boolean bare = endpoint.getPath() == null || endpoint.getPath().matches("/?");
        if (!http || endpoint.getHost() == null || !bare) {
            throw new IllegalArgumentException(
                    "etcd endpoint '%s' is not of the form http://HOST:PORT or https://HOST:PORT"
                            .formatted(withoutUser(endpoint.toString())));
        }
        if (endpoint.getUserInfo() != null) {
            throw new IllegalArgumentException(
                    "etcd endpoint '%s' is given with a user; name it with --etcd-user, and its"
                                    .formatted(withoutUser(endpoint.toString()))
                            + " password with --etcd-password-file");
        }
        if (endpoint.getPort() == 0 || endpoint.getPort() > 65535) {
            throw new IllegalArgumentException("invalid port: " + endpoint);
        }
    }

    /**
     * A URL for messages: it may hold a password before the host, with or without a scheme in front
     * of both, and be malformed.
     */
    public static String withoutUser(String url) {
        return url.replaceFirst("(?s)^(\\s*[A-Za-z][A-Za-z0-9+.-]*://)?.*@", "$1");
    }

    /** Over plain http an eavesdropper could read the password. */
    private static void requireSecret(URI endpoint) {
        if ("http".equals(endpoint.getScheme())) {
            throw new IllegalArgumentException(
                    ("the password of an etcd user is not sent over plain http, as to %s: give"
                                    + " https:// endpoints, or leave user and password out")
                            .formatted(endpoint));
        }
    }

    private static void requireTls(
            List<URI> endpoints,
            @Nullable Path ca,
            @Nullable Path certificate,
            @Nullable Path key) {
        if ((certificate == null) != (key == null)) {
            throw new IllegalArgumentException(
                    "etcd client certificate and key must be given both or neither");
        }
        boolean anyTls = endpoints.stream().anyMatch(uri -> "https".equals(uri.getScheme()));
        if (!anyTls && (ca != null || certificate != null)) {
            throw new IllegalArgumentException(
                    "TLS files are given, but no endpoint is https: " + endpoints);
        }
        requireReadable("CA file", ca);
        requireReadable("client certificate", certificate);
        requireReadable("client key", key);
    }

    private static void requireReadable(String what, @Nullable Path file) {
        if (file != null && !Files.isReadable(file)) {
            throw new IllegalArgumentException("etcd %s cannot be read: %s".formatted(what, file));
        }
    }

    private static void requireTimeout(String what, Duration timeout) {
        Objects.requireNonNull(timeout);
        if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "etcd %s timeout must be above 0 and at most %s, not %s"
                            .formatted(what, MAX_TIMEOUT, timeout));
        }
    }
}
