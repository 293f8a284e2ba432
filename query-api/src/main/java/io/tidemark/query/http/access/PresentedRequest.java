package io.tidemark.query.http.access;

import io.tidemark.authentication.Credentials;
import io.tidemark.authorization.RequestAttributes;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.serving.status.StatusErrors;
import io.tidemark.serving.status.StatusException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads from an HTTP request what it is judged by. */
public final class PresentedRequest {
    /** The servlet attribute with the verified certificates of a TLS connection. */
    private static final String CERTIFICATES = "jakarta.servlet.request.X509Certificate";

    private PresentedRequest() {}

    /**
     * @param demands what the caller must be allowed
     * @param arrival lets the request take its turn
     * @throws StatusException 400 for a header that is not UTF-8, 401 for a token that cannot be
     *     read
     */
    public static AccessRequest of(
            Exchange exchange, List<RequestAttributes> demands, AccessRequest.Arrival arrival) {
        HttpServletRequest request = exchange.servletRequest();
        return new AccessRequest(
                credentials(exchange, request),
                impersonation(request),
                demands,
                exchange.audit(),
                arrival);
    }

    private static Credentials credentials(Exchange exchange, HttpServletRequest request) {
        List<X509Certificate> certificates =
                request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain
                        ? List.of(chain)
                        : List.of();
        String authorization = exchange.header("Authorization");
        if (authorization.isEmpty()) {
            authorization =
                    WebSocketHandshake.token(exchange).map(token -> "Bearer " + token).orElse("");
        }
        return certificates.isEmpty() && authorization.isEmpty()
                ? Credentials.NONE
                : new Credentials(certificates, authorization);
    }

    private static Map<String, List<String>> impersonation(HttpServletRequest request) {
        Map<String, List<String>> found = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            if (name.regionMatches(true, 0, WantedCaller.PREFIX, 0, WantedCaller.PREFIX.length())) {
                // Names in different case are different names here, and the same header.
                found.computeIfAbsent(name.toLowerCase(Locale.ROOT), _ -> values(request, name));
            }
        }
        return found;
    }

    private static List<String> values(HttpServletRequest request, String name) {
        List<String> values = new ArrayList<>();
        for (String value : Collections.list(request.getHeaders(name))) {
            values.add(utf8(value));
        }
        return List.copyOf(values);
    }

    /** Jetty reads header values as ISO 8859-1; Kubernetes clients send UTF-8. */
    private static String utf8(String value) {
        if (value.chars().anyMatch(c -> c > 0xff)) {
            return value;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException _) {
            throw StatusErrors.badRequest("an Impersonate header is not UTF-8");
        }
    }
}
