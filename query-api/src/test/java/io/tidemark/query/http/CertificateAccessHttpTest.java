package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authentication.AuthenticatorChain;
import io.tidemark.authentication.CertificateAuthenticator;
import io.tidemark.credentials.ClientAuthorities;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.http.testing.TestHttpClient;
import io.tidemark.query.QueryNodeFixture;
import io.tidemark.query.access.AccessSettings;
import io.tidemark.query.access.AccessSettings.Authorization.Mirrored;
import io.tidemark.query.testing.Rights;
import io.tidemark.serving.testing.MirroredCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The certificate of a connection says who makes its requests, in both versions of HTTP. */
class CertificateAccessHttpTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @EnumSource(
            value = Version.class,
            names = {"HTTP_1_1", "HTTP_2"})
    void knowsCallersByTheirCertificates(Version version) throws Exception {
        TestCertificates certificates = new TestCertificates(folder);
        MirroredCluster cluster = new MirroredCluster(4, 100);
        cluster.pod("blue", "mine", Map.of());
        new Rights(cluster).grant("ann", "blue", "list", "pods");
        AccessSettings access =
                new AccessSettings(
                        Optional.of(
                                new AuthenticatorChain(
                                        List.of(
                                                new CertificateAuthenticator(
                                                        new ClientAuthorities(
                                                                certificates.authorityFile()),
                                                        InstantSource.system())),
                                        List.of(),
                                        false)),
                        new Mirrored(Duration.ofMinutes(5)));
        try (QueryNodeFixture fixture =
                new QueryNodeFixture(
                        cluster,
                        config -> {
                            try {
                                return config.withTls(certificates.server()).withAccess(access);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        })) {
            assertThat(
                            status(
                                    fixture,
                                    version,
                                    certificates.contextOf(certificates.client("CN=ann"))))
                    .isEqualTo(200);
            assertThat(
                            status(
                                    fixture,
                                    version,
                                    certificates.contextOf(certificates.client("CN=bob"))))
                    .isEqualTo(403);
            assertThat(status(fixture, version, certificates.anonymous())).isEqualTo(401);
        }
    }

    private static int status(QueryNodeFixture fixture, Version version, SSLContext context)
            throws Exception {
        HttpClient http = HttpClient.newBuilder().sslContext(context).version(version).build();
        try (TestHttpClient client = new TestHttpClient(fixture.url, http)) {
            return client.get(
                            "/api/v1/namespaces/blue/pods",
                            "X-Remote-User",
                            "ann",
                            "X-Remote-Group",
                            "system:masters")
                    .status();
        }
    }
}
