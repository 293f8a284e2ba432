package io.tidemark.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EtcdOptionsTest {
    private static final EtcdOptions HTTP = EtcdOptions.of("http://127.0.0.1:2379");
    private static final EtcdOptions HTTPS = EtcdOptions.of("https://127.0.0.1:2379");

    @Test
    void hasPlainDefaults() {
        assertThat(HTTP)
                .isEqualTo(
                        new EtcdOptions(
                                List.of(URI.create("http://127.0.0.1:2379")),
                                null,
                                null,
                                null,
                                null,
                                null,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(2),
                                32 << 20));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "127.0.0.1:2379",
                "localhost",
                "ftp://127.0.0.1:2379",
                "http://",
                "http://127.0.0.1:99999",
                "http://127.0.0.1:2379/path",
                "http://user:secret@127.0.0.1:2379",
                "http://a b"
            })
    void refusesInvalidEndpoints(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(endpoint))
                .satisfies(refused -> assertThat(refused.getMessage()).isNotBlank());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://root:hunter2@etcd:2379",
                "https://root:hunter2@etcd:99999",
                "https://root:hunter2@etcd:2379/path",
                "https://root:hunter2 @etcd:2379",
                "https://root:%hunter2/@etcd:2379",
                "ftp://root:hunter2@etcd:2379",
                "root:hunter2@etcd:2379",
                "root:hunter2//@etcd:2379",
                "root:hunter2@hunter2@etcd:2379"
            })
    void showsNoPasswordOfAnEndpoint(String endpoint) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(endpoint))
                .withMessageContaining("etcd endpoint")
                .withNoCause()
                .extracting(Throwable::getMessage, STRING)
                .doesNotContain("hunter2");
    }

    @Test
    void refusesAnEmptyEndpointList() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EtcdOptions.of(List.of()))
                .withMessageContaining("no etcd endpoint");
    }

    @Test
    void requiresReadableCertificateAndKeyTogether(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.pem"), "x");
        assertThatThrownBy(() -> HTTPS.withTls(null, file, null)).hasMessageContaining("both");
        assertThatThrownBy(() -> HTTPS.withTls(folder.resolve("none"), null, null))
                .hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> HTTP.withTls(file, null, null))
                .hasMessageContaining("no endpoint is https");
        assertThat(HTTPS.withTls(file, file, file).clientKey()).isEqualTo(file);
    }

    @Test
    void refusesUnusablePemFilesOnConstruction(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("a.pem"), "no certificate");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new EtcdCalls(HTTPS.withTls(file, null, null)).close())
                .withMessageContaining("cannot set up TLS to etcd");
    }

    @Test
    void requiresUserAndPasswordTogetherAndHidesThePassword() {
        assertThatThrownBy(() -> HTTP.withUser("root", null)).hasMessageContaining("both");
        assertThat(HTTPS.withUser("root", "s3cret").toString())
                .contains("root")
                .doesNotContain("s3cret");
    }

    @Test
    void refusesToSendAPasswordOverPlainHttp() {
        EtcdOptions mixed = EtcdOptions.of("https://127.0.0.1:2379", "http://127.0.0.1:2380");
        for (EtcdOptions plain : List.of(HTTP, mixed)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> plain.withUser("root", "s3cret"))
                    .withMessageContaining("plain http")
                    .withMessageContaining("http://127.0.0.1:23")
                    .satisfies(
                            refused -> assertThat(refused.getMessage()).doesNotContain("s3cret"));
        }
    }

    @Test
    void boundsTimeoutsAndMessages() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> HTTP.withTimeouts(Duration.ZERO, second))
                .hasMessageContaining("call timeout");
        assertThatThrownBy(() -> HTTP.withTimeouts(second, Duration.ofHours(1)))
                .hasMessageContaining("connect timeout");
        assertThatThrownBy(() -> HTTP.withMaxInboundMessageBytes(1 << 20))
                .hasMessageContaining("4194304");
    }
}
