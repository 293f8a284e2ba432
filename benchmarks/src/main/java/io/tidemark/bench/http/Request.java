package io.tidemark.bench.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * A GET request.
 *
 * @param path with its query, already escaped
 * @param accept media types; empty for JSON
 */
public record Request(String path, String accept, boolean gzip) {
    public static Request of(String path) {
        return new Request(path, "", false);
    }

    /** A watch of all pods after a revision. */
    public static Request watchPods(long afterRevision) {
        return of("/api/v1/pods?watch=true&resourceVersion=" + afterRevision);
    }

    /** The same with another query parameter. */
    public Request with(String parameter, String value) {
        char separator = path.indexOf('?') < 0 ? '?' : '&';
        String escaped = URLEncoder.encode(value, StandardCharsets.UTF_8);
        return new Request(path + separator + parameter + "=" + escaped, accept, gzip);
    }

    /** The request as HTTP/1.1 sends it. */
    byte[] encode(Target target) {
        StringBuilder head = new StringBuilder("GET ").append(path).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(target.base().getAuthority()).append("\r\n");
        head.append("User-Agent: tidemark-bench\r\nAccept: ")
                .append(accept.isEmpty() ? "application/json" : accept)
                .append("\r\n");
        if (gzip) {
            head.append("Accept-Encoding: gzip\r\n");
        }
        if (target.token() != null) {
            head.append("Authorization: Bearer ").append(target.token()).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
