package io.tidemark.authentication.review;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.authentication.Authentication;
import io.tidemark.authorization.Caller;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes and reads the object {@code TokenReview}. */
final class TokenReview {
    static final String PATH = "/apis/authentication.k8s.io/v1/tokenreviews";

    /** The end of the year 9999. */
    private static final long LAST_SECOND = 253_402_300_799L;

    private static final JsonMapper JSON = new JsonMapper();

    private TokenReview() {}

    static byte[] request(String token) {
        try {
            return JSON.writeValueAsBytes(
                    Map.of(
                            "apiVersion",
                            "authentication.k8s.io/v1",
                            "kind",
                            "TokenReview",
                            "spec",
                            Map.of("token", token)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write texts as JSON", e);
        }
    }

    /**
     * Known or wrong, as the server says.
     *
     * @param until when the token expires
     * @throws IOException when the answer is no review
     */
    static Authentication read(byte[] answer, Instant until) throws IOException {
        JsonNode review;
        try {
            review = JSON.readTree(answer);
        } catch (JsonProcessingException e) {
            throw new IOException("the answer is not JSON", e);
        }
        JsonNode status = review.path("status");
        if (!"TokenReview".equals(review.path("kind").textValue()) || !status.isObject()) {
            throw new IOException("the answer is no TokenReview with a status");
        }
        if (!status.path("authenticated").asBoolean(false)) {
            return new Authentication.Wrong("the API server does not know the token");
        }
        JsonNode user = status.path("user");
        String name = user.path("username").asText("");
        if (name.isEmpty()) {
            throw new IOException("the TokenReview names no user");
        }
        Map<String, List<String>> extra = new HashMap<>();
        user.path("extra")
                .properties()
                .forEach(each ->
                        extra.put(each.getKey().toLowerCase(Locale.ROOT), texts(each.getValue())));
        return new Authentication.Known(
                new Caller(name, user.path("uid").asText(""), texts(user.path("groups")), extra),
                until);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    /**
     * When a token says that it expires; {@link Instant#MAX} if it does not say. Trust this only
     * once the server that verifies the token knows it.
     */
    static Instant expiry(String token) {
        String[] parts = token.split("\\.", 4);
        if (parts.length != 3) {
            return Instant.MAX;
        }
        try {
            JsonNode end = JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
            return end.isNumber()
                    ? Instant.ofEpochSecond(Math.clamp(end.asLong(), 0, LAST_SECOND))
                    : Instant.MAX;
        } catch (IOException | IllegalArgumentException _) {
            return Instant.MAX;
        }
    }
}
