package io.tidemark.bench.http;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A GET request.
 *
 * @param path with its query, already escaped
 * @param accept media types; empty for JSON
 */
public record Request(String path, String accept, boolean gzip) {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

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

    /** The same in Kubernetes' protobuf, as client-go asks for built-in kinds. */
    public Request inProtobuf() {
        return new Request(path, PROTOBUF + ",application/json", gzip);
    }

    /** What reports the events of a watch that is answered in the first form that is accepted. */
    public BodySink events(EventScanner.Listener listener) {
        return accept.startsWith(PROTOBUF)
                ? new FrameScanner(listener)
                : new EventScanner(listener);
    }

    /** Its headers, but for the server's name, in lower case. */
    Map<String, String> headers(Target target) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("user-agent", "tidemark-bench");
        headers.put("accept", accept.isEmpty() ? "application/json" : accept);
        if (gzip) {
            headers.put("accept-encoding", "gzip");
        }
        if (target.token() != null) {
            headers.put("authorization", "Bearer " + target.token());
        }
        return headers;
    }

    /** The request as HTTP/1.1 sends it. */
    byte[] encode(Target target) {
        StringBuilder head = new StringBuilder("GET ").append(path).append(" HTTP/1.1\r\n");
        head.append("host: ").append(target.base().getAuthority()).append("\r\n");
        headers(target)
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
