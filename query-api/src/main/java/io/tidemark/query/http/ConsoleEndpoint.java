package io.tidemark.query.http;

import io.tidemark.console.ConsoleFiles;
import io.tidemark.console.ConsoleFiles.ConsoleFile;
import io.tidemark.query.http.exchange.Exchange;
import java.io.IOException;
import java.util.Optional;

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
     * Answers with a file.
     *
     * @return false when there is no such file
     */
    boolean answer(Exchange exchange, String name) throws IOException {
        if (name.equals(ABOVE)) {
            // An API server has no such path: its clients get what they would get there.
            if (!exchange.header("Accept").contains("text/html")) {
                return false;
            }
            exchange.setHeader("Location", "ui/");
            exchange.answerText(308, "");
            return true;
        }
        Optional<ConsoleFile> file = files.find(name);
        if (file.isEmpty()) {
            return false;
        }
        exchange.setHeader("Content-Security-Policy", POLICY);
        exchange.setHeader("X-Content-Type-Options", "nosniff");
        exchange.setHeader("Referrer-Policy", "no-referrer");
        // Asked for again each time, and sent again only when a release has changed it.
        exchange.setHeader("Cache-Control", "no-cache");
        exchange.setHeader("ETag", file.get().tag());
        boolean known = exchange.header("If-None-Match").contains(file.get().tag());
        exchange.answer(
                known ? 304 : 200,
                file.get().contentType(),
                known ? new byte[0] : file.get().content());
        return true;
    }
}
