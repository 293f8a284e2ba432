package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.client.history.ChangesCommand;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that refuses requests for a while, and says when to repeat them. */
@Timeout(60)
class BusyServerTest extends CommandsFixture {
    private static final String CHANGES =
            "/changes?from=50&class=spec%2Cmetadata&namespace=default&limit=500";
    private static final String PAGE =
            "{\"metadata\":{\"continue\":\"%s\"},\"complete\":true,\"items\":[]}";
    private static final String PODS = "/api/v1/namespaces/default/pods";

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void repeatsTheRequestForAPage(int status) {
        server.on(CHANGES, 200, PAGE.formatted("next"));
        server.busy(CHANGES + "&continue=next", status, "0");
        server.on(CHANGES + "&continue=next", 200, PAGE.formatted(""));
        assertThat(run(new ChangesCommand(), "--from", "50")).as(err.toString()).isZero();
        assertThat(server.requests())
                .containsExactly(CHANGES, CHANGES + "&continue=next", CHANGES + "&continue=next");
    }

    @Test
    void reportsTheErrorOfAServerThatStaysBusy() {
        server.busy("/x", 429, "0");
        try (NodeApiClient api = api(Duration.ofMillis(250))) {
            assertThatThrownBy(() -> api.get("/x", NodeApiClient.AS_JSON))
                    .isInstanceOf(ApiException.class)
                    .hasMessage("busy");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "429, ''",
        "503, ''",
        "429, 3600",
        "503, 99999999999999999999",
        "503, 'Sat, 21 Nov 2026 14:03:00 GMT'",
        "500, 0"
    })
    void doesNotRepeatARequestWithoutAShortRetryAfter(int status, String retryAfter) {
        server.busy(PODS, status, retryAfter);
        assertThat(run(new GetCommand(), "pods")).isEqualTo(1);
        assertThat(err.toString()).isEqualToIgnoringNewLines("busy");
        assertThat(server.requests()).containsExactly(PODS);
    }

    /** Streams resume by themselves. */
    @Test
    void doesNotRepeatAStream() {
        server.busy("/x?watch=true&timeoutSeconds=300", 429, "0");
        try (NodeApiClient api = api(Duration.ofHours(1))) {
            assertThatThrownBy(() -> api.lines("/x?watch=true", NodeApiClient.AS_JSON))
                    .hasMessage("busy");
        }
        assertThat(server.requests()).hasSize(1);
    }

    private NodeApiClient api(Duration longestRetries) {
        return new NodeApiClient(
                URI.create(server.url()), Optional.empty(), Duration.ofMinutes(1), longestRetries);
    }
}
