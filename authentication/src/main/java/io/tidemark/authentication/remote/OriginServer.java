package io.tidemark.authentication.remote;

import io.tidemark.credentials.ReloadedFiles;
import io.tidemark.credentials.SecretFile;
import io.tidemark.credentials.TlsContexts;
import io.tidemark.credentials.TlsIdentity;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The API server whose objects are mirrored, which answers reviews. Thread-safe. */
public final class OriginServer {
    private static final int MAX_ANSWER_BYTES = 1 << 20;
    private static final int TOO_MANY = 429;
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127\\.0\\.0\\.1|\\[::1]");

    /** What a header may hold. */
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private final String url;
    private final ReloadedFiles<OwnToken> token;
    private final BoundedHttpClient client;

    private record OwnToken(String text) {
        @Override
        public String toString() {
            return "OwnToken";
        }
    }

    /**
     * @param url {@code https://HOST:PORT}, with a path if needed; {@code http://} only on this
     *     machine
     * @param authorities file with the authorities of its certificate; empty for those that the JDK
     *     trusts
     * @param tokenFile file whose first line is the bearer token of this node at that server, which
     *     only its owner may read
     * @throws IOException when a file cannot be read, or others can read the token; the message is
     *     a sentence that names the file
     * @throws IllegalArgumentException when the URL or a file cannot be used; likewise
     */
    public OriginServer(String url, Optional<Path> authorities, Path tokenFile) throws IOException {
        this.url = checked(url);
        this.token = new ReloadedFiles<>("the origin's token file", () -> read(tokenFile), _ -> "");
        Optional<List<X509Certificate>> trusted =
                authorities.isPresent()
                        ? Optional.of(TlsIdentity.readAuthorities(authorities.get()))
                        : Optional.empty();
        this.client =
                new BoundedHttpClient(
                        () -> trusted.map(it -> TlsContexts.of(Optional.empty(), it)));
    }

    private static OwnToken read(Path file) throws IOException {
        String line = SecretFile.read(file).lines().findFirst().orElse("").strip();
        if (!TOKEN.matcher(line).matches()) {
            throw new IllegalArgumentException(
                    "the first line of %s is no bearer token".formatted(file));
        }
        return new OwnToken(line);
    }

    private static String checked(String text) {
        try {
            URI uri = URI.create(text);
            String scheme = String.valueOf(uri.getScheme());
            String host = uri.getHost();
            if (host != null
                    && (scheme.equals("https")
                            || scheme.equals("http") && LOOPBACK.matcher(host).matches())
                    && uri.getUserInfo() == null
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null) {
                return text.replaceAll("/+$", "");
            }
        } catch (IllegalArgumentException _) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                "the origin must be of the form https://HOST:PORT; tokens are sent to it");
    }

    /**
     * Posts an object, such as a review.
     *
     * @param path begins with a slash
     * @return what the server answered with success
     * @throws IOException when it does not answer within {@link BoundedHttpClient#WITHIN}, answers
     *     with an error, or refuses this node's token; the message names the server and shows
     *     nothing that was sent
     * @throws RequestRefusedException if another attempt would fail too
     */
    public byte[] create(String path, byte[] json) throws IOException, InterruptedException {
        BoundedHttpClient.Answer answer;
        try {
            answer =
                    client.post(
                            URI.create(url + path),
                            json,
                            Map.of("Authorization", "Bearer " + token.get().text()),
                            MAX_ANSWER_BYTES);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new IOException("the API server %s: %s".formatted(url, why), e);
        }
        int status = answer.status();
        if (status == 200 || status == 201) {
            return answer.body();
        }
        String text = "the API server %s answered %d".formatted(url, status);
        if (status == 401 || status == 403) {
            throw new RequestRefusedException(
                    text
                            + ": this node's token (--origin-token-file) may not create %s"
                                    .formatted(path));
        }
        throw status >= 500 || status == 408 || status == TOO_MANY
                ? new IOException(text)
                : new RequestRefusedException(text);
    }

    /** Its URL. */
    @Override
    public String toString() {
        return url;
    }
}
