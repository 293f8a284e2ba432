package io.tidemark.connector.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpstreamOptionsTest {
    private static final Optional<Path> FILE = Optional.of(Path.of("file"));

    private static UpstreamOptions of(String url) {
        return UpstreamOptions.of(List.of(URI.create(url)));
    }

    @Test
    void thePathTellsATidemarkFromAnEtcd() {
        assertThat(UpstreamOptions.isTidemark("http://127.0.0.1:8080/kv")).isTrue();
        assertThat(UpstreamOptions.isTidemark(" https://edge.example/tidemark/kv/ ")).isTrue();
        assertThat(UpstreamOptions.isTidemark("http://127.0.0.1:2379")).isFalse();
        assertThat(UpstreamOptions.isTidemark("http://127.0.0.1:2379/")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://h/kv",
                "/kv",
                "http://h",
                "http://h/kv?a=b",
                "http://h/kv#a",
                "http://me:secret@h/kv",
                "mailto:kv"
            })
    void refusesOtherUrls(String url) {
        assertThatThrownBy(() -> of(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://me:secret@h/kv",
                "https://me:sec ret@h/kv",
                "https://me:%secret@h/kv",
                "me:secret@h/kv"
            })
    void showsNoPasswordOfAnEndpoint(String url) {
        assertThatThrownBy(() -> UpstreamOptions.of(List.of(UpstreamOptions.endpoint(url))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoCause()
                .hasMessageContaining("h/kv")
                .hasMessageNotContainingAny("secret", "ret@");
    }

    @Test
    void refusesWhatWouldBeSentInClear() {
        List<URI> plain = List.of(URI.create("http://h/kv"));
        assertThatThrownBy(
                        () -> new UpstreamOptions(plain, Optional.empty(), Optional.empty(), FILE))
                .hasMessageContaining("not sent over plain http");
        assertThatThrownBy(
                        () -> new UpstreamOptions(plain, FILE, Optional.empty(), Optional.empty()))
                .hasMessageContaining("not all endpoints are https");
    }

    @Test
    void aCertificateNeedsAuthorities() {
        UpstreamOptions.Identity identity =
                new UpstreamOptions.Identity(Path.of("crt"), Path.of("key"));
        assertThatThrownBy(() ->
                        new UpstreamOptions(
                                List.of(URI.create("https://h/kv")),
                                Optional.empty(),
                                Optional.of(identity),
                                Optional.empty()))
                .hasMessageContaining("authorities");
    }

    @Test
    void namesAHistoryByClusterAndEpoch() {
        HistoryName first = HistoryName.parse("cdf818194e3a8c32-1");
        assertThat(Long.toHexString(first.id())).isEqualTo("cdf818194e3a8c32");
        assertThat(HistoryName.parse("cdf818194e3a8c32-2").id()).isNotEqualTo(first.id());
        for (String text : new String[] {"", "-", "1", "-1", "x-1", "1-0", "1-x", "1--1"}) {
            assertThatThrownBy(() -> HistoryName.parse(text))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
