package io.tidemark.standalone.process;

import io.tidemark.address.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.Reader;
import java.net.HttpURLConnection;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * {@code tidemark health}, a health check for containers without curl: requests a URL and exits
 * with 0 if the response is 200, else with 1 and the response's text. It runs every few seconds, so
 * it loads few classes.
 */
public final class HealthProbe {
    private static final int TIMEOUT_MILLIS = 3_000;
    private static final int MAX_SHOWN_BYTES = 2_000;
    private static final String LISTEN = "127.0.0.1:8080";
    private static final String USAGE = "usage: tidemark health [URL]";

    private HealthProbe() {}

    /**
     * @param arguments the command's name, then the URL; without it the own {@code /readyz}
     */
    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out, System.err));
    }

    /** Returns the exit code. */
    static int run(
            String[] arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        String argument = arguments.length > 1 ? arguments[1] : "";
        if (argument.equals("--help") || argument.equals("-h")) {
            out.println(USAGE);
            return 0;
        }
        if (arguments.length > 2) {
            err.println(USAGE);
            return 2;
        }
        Optional<String> failure =
                arguments.length == 2 ? failure(argument) : ownFailure(environment);
        failure.ifPresent(err::println);
        return failure.isPresent() ? 1 : 0;
    }

    /**
     * Why the process in this container, which has the same variables and properties file, is not
     * healthy.
     */
    static Optional<String> ownFailure(Map<String, String> environment) {
        String url;
        boolean securedForPeers;
        try {
            Settings settings = Settings.of(environment);
            url = ownUrl(settings);
            securedForPeers = settings.has("peer-tls-cert");
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        Optional<String> failure = failure(url);
        if (failure.isEmpty() || url.startsWith("https:") || !securedForPeers) {
            return failure;
        }
        // A node's port for clients is plain then, but a connector's has its peers' certificate.
        Optional<String> secured = failure("https" + url.substring("http".length()));
        return secured.map(why -> failure.get() + "; " + why);
    }

    /**
     * A variable unless it is blank, then the entry of the properties file: as SettingSources,
     * which would load the parser of the command line.
     */
    record Settings(Map<String, String> environment, Properties file) {
        /**
         * @throws IOException if the properties file cannot be read
         */
        static Settings of(Map<String, String> environment) throws IOException {
            Properties properties = new Properties();
            String file = environment.getOrDefault("TIDEMARK_CONFIG", "");
            if (!file.isBlank()) {
                try (Reader reader = Files.newBufferedReader(Path.of(file))) {
                    properties.load(reader);
                } catch (IOException | IllegalArgumentException e) {
                    throw new IOException("TIDEMARK_CONFIG: cannot read " + file + ": " + e, e);
                }
            }
            return new Settings(environment, properties);
        }

        /** Empty if it is not set. */
        String get(String name) {
            String variable = environment.getOrDefault(variableOf(name), "");
            return variable.isBlank() ? file.getProperty(name, "") : variable;
        }

        boolean has(String name) {
            return !get(name).isBlank();
        }

        private static String variableOf(String name) {
            return "TIDEMARK_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
        }
    }

    /**
     * The readiness URL of the process in this container, by its settings for clients.
     *
     * @throws IllegalArgumentException if its address is none
     */
    static String ownUrl(Settings settings) {
        HostPort listen = listen(settings);
        boolean secured = settings.has("tls-cert") || settings.has("tls");
        String host = listen.isWildcard() ? "127.0.0.1" : listen.host();
        return (secured ? "https" : "http")
                + "://"
                + HostPort.join(host, listen.port())
                + "/readyz";
    }

    private static HostPort listen(Settings settings) {
        try {
            return HostPort.parse(settings.has("listen") ? settings.get("listen") : LISTEN);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("listen: " + e.getMessage(), e);
        }
    }

    /** Why the URL is not healthy; empty if it answers 200 within 3 s. */
    public static Optional<String> failure(String url) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create(url).toURL().openConnection();
            if (connection instanceof HttpsURLConnection secured) {
                trustAny(secured);
            }
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            int status = connection.getResponseCode();
            return status == HttpURLConnection.HTTP_OK
                    ? Optional.empty()
                    : Optional.of(status + " " + body(connection.getErrorStream()));
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            return Optional.of(url + ": " + e.getMessage());
        }
    }

    /** As Kubernetes' probes do: the answer is not about who gives it. */
    private static void trustAny(HttpsURLConnection connection) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustsAny()}, null);
            connection.setSSLSocketFactory(context.getSocketFactory());
            connection.setHostnameVerifier((_, _) -> true);
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS in this Java", e);
        }
    }

    private static final class TrustsAny extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static String body(@Nullable InputStream stream) throws IOException {
        return stream == null
                ? ""
                : new String(stream.readNBytes(MAX_SHOWN_BYTES), StandardCharsets.UTF_8);
    }
}
