package io.tidemark.clients;

import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import io.tidemark.harness.Api;
import io.tidemark.http.testing.TestHttpClient;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a client connects to a node and says who it is.
 *
 * @param ca of the node's certificate; null for plain HTTP
 * @param certificate of the client, beside its key in PEM; null for none
 * @param token null for none
 * @param http2 whether the client may use HTTP/2
 */
record Login(
        String url,
        @Nullable Path ca,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable String token,
        boolean http2) {
    /** Over plain HTTP, to a node that asks for no credentials. */
    static Login none(String url) {
        return new Login(url, null, null, null, null, false);
    }

    /** A client that sends single requests. */
    Api api() throws IOException {
        if (ca == null) {
            return new Api(url);
        }
        Optional<TlsIdentity> identity =
                certificate == null || key == null
                        ? Optional.empty()
                        : Optional.of(TlsIdentity.read(certificate, key));
        HttpClient client =
                HttpClient.newBuilder()
                        .version(http2 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                        .sslContext(TlsContexts.of(identity, TlsIdentity.readAuthorities(ca)))
                        .build();
        TestHttpClient http = new TestHttpClient(url, client);
        return token == null ? new Api(http) : new Api(http, "Authorization", "Bearer " + token);
    }

    /** For people: how, not who. */
    @Override
    public String toString() {
        String how = certificate != null ? "certificate" : token != null ? "token" : "no login";
        return how + (ca == null ? "" : http2 ? " over HTTP/2" : " over HTTP/1.1");
    }
}
