package io.tidemark.query.http.access;

import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.serving.status.StatusException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the headers of a request say of a WebSocket. A page in a browser cannot set headers: as for
 * the API server, its token is one of the subprotocols that it offers.
 */
public final class WebSocketHandshake {
    private static final String PREFIX = "base64url.bearer.authorization.k8s.io.";

    private WebSocketHandshake() {}

    /** Whether the request's headers ask for a WebSocket. */
    public static boolean isRequested(Exchange exchange) {
        return exchange.header("Upgrade").equalsIgnoreCase("websocket")
                && Arrays.stream(exchange.header("Connection").split(","))
                        .anyMatch(option -> option.strip().equalsIgnoreCase("upgrade"));
    }

    /** Whether a subprotocol is a token, which must not be sent back. */
    public static boolean isToken(String subprotocol) {
        return subprotocol.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }

    /**
     * The token of a handshake.
     *
     * @throws StatusException 401 for several tokens, for one without another subprotocol that can
     *     be accepted, and for one that cannot be decoded
     */
    static Optional<String> token(Exchange exchange) {
        if (!isRequested(exchange)) {
            return Optional.empty();
        }
        List<String> offered =
                Collections.list(exchange.servletRequest().getHeaders("Sec-WebSocket-Protocol"))
                        .stream()
                        .flatMap(header -> Stream.of(header.split(",")))
                        .map(String::strip)
                        .filter(each -> !each.isEmpty())
                        .toList();
        List<String> tokens = offered.stream().filter(WebSocketHandshake::isToken).toList();
        if (tokens.isEmpty()) {
            return Optional.empty();
        }
        if (tokens.size() > 1 || offered.size() == 1) {
            throw AccessErrors.unauthorized();
        }
        return Optional.of(decoded(tokens.getFirst().substring(PREFIX.length())));
    }

    private static String decoded(String encoded) {
        try {
            byte[] token = Base64.getUrlDecoder().decode(encoded);
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(token)).toString();
        } catch (IllegalArgumentException | CharacterCodingException _) {
            throw AccessErrors.unauthorized();
        }
    }
}
