package io.tidemark.query.http;

import io.tidemark.console.ConsoleFiles;
import io.tidemark.console.ConsoleFiles.ConsoleFile;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.Response;
import java.io.IOException;

/** Serves the files of the console. They hold no data and are the same for everyone. */
final class ConsoleEndpoint {
    /** Nothing runs, and nothing is loaded, but these files. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";

    private static final String ABOVE = "..";

    private final ConsoleFiles files = ConsoleFiles.load();

    /**
     * Whether a request gets a file, or is led to the page: an API server has no such path, so its
     * clients get what they would get there.
     */
    boolean serves(Exchange exchange, String name) {
        if (!exchange.timeBase().isPresent()) {
            return false;
        }
        return name.equals(ABOVE)
                ? exchange.header("Accept").contains("text/html")
                : files.find(name).isPresent();
    }

    /** Answers a request that it {@link #serves}. */
    void answer(Exchange exchange, String name) throws IOException {
        Response response = exchange.response();
        if (name.equals(ABOVE)) {
            response.setHeader("Location", "ui/");
            response.answerText(308, "");
            return;
        }
        ConsoleFile file = files.find(name).orElseThrow();
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        // Asked for again each time, and sent again only when a release has changed it.
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("ETag", file.tag());
        boolean known = exchange.header("If-None-Match").contains(file.tag());
        response.answer(
                known ? 304 : 200, file.contentType(), known ? new byte[0] : file.content());
    }
}
