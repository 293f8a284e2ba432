package io.tidemark.connector.upstream;

import io.tidemark.etcd.connection.EtcdOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How to reach the nodes of a Tidemark.
 *
 * @param endpoints {@code http://HOST:PORT/kv} or {@code https://HOST:PORT/kv}, tried in turns; all
 *     of one Tidemark
 * @param authorities PEM file with the authorities that the nodes' certificates must be of; empty
 *     for those that Java trusts
 * @param identity by which the nodes know this client; needs authorities
 * @param tokenFile file with a bearer token, read again when it changes; needs https
 */
public record UpstreamOptions(
        List<URI> endpoints,
        Optional<Path> authorities,
        Optional<Identity> identity,
        Optional<Path> tokenFile) {
    /** What the path of an endpoint ends with, which those of etcd never do. */
    private static final String PATH = "/kv";

    /**
     * PEM files of a client.
     *
     * @param certificate with its chain
     * @param key which only its owner may read
     */
    public record Identity(Path certificate, Path key) {}

    /**
     * @throws IllegalArgumentException when they contradict each other; the message is a sentence
     */
    public UpstreamOptions {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException(
                    "no Tidemark given; example: http://127.0.0.1:8080/kv");
        }
        endpoints.forEach(UpstreamOptions::requireEndpoint);
        boolean plain = endpoints.stream().anyMatch(uri -> "http".equals(uri.getScheme()));
        if (plain && tokenFile.isPresent()) {
            throw new IllegalArgumentException(
                    "a token is not sent over plain http: give https:// endpoints, or leave the"
                            + " token out");
        }
        if (plain && (authorities.isPresent() || identity.isPresent())) {
            throw new IllegalArgumentException(
                    "TLS files are given, but not all endpoints are https: " + endpoints);
        }
        if (identity.isPresent() && authorities.isEmpty()) {
            throw new IllegalArgumentException(
                    "a client certificate for a Tidemark needs the authorities of its nodes, too");
        }
    }

    /** Without TLS files and token. */
    public static UpstreamOptions of(List<URI> endpoints) {
        return new UpstreamOptions(endpoints, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Parses an endpoint.
     *
     * @throws IllegalArgumentException when it is not a URL; the message is a sentence
     */
    public static URI endpoint(String url) {
        try {
            return URI.create(url.strip());
        } catch (IllegalArgumentException _) {
            // Its message would show a password in the URL.
            throw invalid(url);
        }
    }

    /** Whether a URL is that of a Tidemark: the path ends with {@code /kv}. */
    public static boolean isTidemark(String url) {
        return url.strip().replaceAll("/+$", "").endsWith(PATH);
    }

    private static void requireEndpoint(URI endpoint) {
        boolean http = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        boolean bare =
                endpoint.getRawQuery() == null
                        && endpoint.getRawFragment() == null
                        && endpoint.getRawUserInfo() == null;
        if (!http || !bare || endpoint.getHost() == null || !isTidemark(endpoint.getPath())) {
            throw invalid(endpoint.toString());
        }
    }

    private static IllegalArgumentException invalid(String url) {
        return new IllegalArgumentException(
                "'%s' is not of the form http://HOST:PORT/kv or https://HOST:PORT/kv"
                        .formatted(EtcdOptions.withoutUser(url)));
    }
}
