package io.tidemark.authentication.jwt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.authentication.remote.BoundedHttpClient;
import io.tidemark.credentials.PemText;
import io.tidemark.credentials.TlsContexts;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Fetches the keys that an issuer names in its OpenID configuration. */
final class HttpKeySource implements KeyCache.Source {
    private static final int MAX_BYTES = 256 << 10;
    private static final JsonMapper JSON = new JsonMapper();

    private final String issuer;
    private final URI document;
    private final BoundedHttpClient client;

    HttpKeySource(String issuer, IssuerSettings.Keys.Discovered where) {
        this.issuer = issuer;
        this.document = where.document();
        this.client =
                new BoundedHttpClient(() ->
                        where.authorities().isEmpty()
                                ? Optional.empty()
                                : Optional.of(
                                        TlsContexts.of(
                                                Optional.empty(),
                                                PemText.certificates(where.authorities()))));
    }

    @Override
    public VerificationKeys fetch() throws IOException, InterruptedException {
        JsonNode configuration;
        try {
            configuration = JSON.readTree(get(document));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(document + " is not JSON", e);
        }
        if (!issuer.equals(configuration.path("issuer").textValue())) {
            throw new IllegalArgumentException(document + " is of another issuer");
        }
        return VerificationKeys.parse(get(https(configuration.path("jwks_uri"))));
    }

    private URI https(JsonNode uri) {
        try {
            URI found = URI.create(uri.asText());
            if ("https".equals(found.getScheme()) && found.getHost() != null) {
                return found;
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new IllegalArgumentException(document + " names no https:// jwks_uri");
    }

    private String get(URI uri) throws IOException, InterruptedException {
        BoundedHttpClient.Answer answer = client.get(uri, MAX_BYTES);
        if (answer.status() != 200) {
            throw new IOException("%s answered %d".formatted(uri, answer.status()));
        }
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
