package io.tidemark.query.compress;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The header {@code Accept-Encoding} (RFC 9110, section 12.5.3). An element that cannot be parsed
 * accepts nothing. Of a coding that is named twice the lowest quality counts. The wildcard stands
 * for gzip only: a client that knows zstd names it.
 */
final class AcceptEncoding {
    /** A coding, and its quality with up to three decimals. */
    private static final Pattern ELEMENT =
            Pattern.compile(
                    "\\s*([^\\s;,]+)\\s*(?:;\\s*[qQ]=(0(?:\\.\\d{0,3})?|1(?:\\.0{0,3})?)\\s*)?");

    private static final String ANY = "*";

    private final Map<String, Double> qualities = new TreeMap<>();

    private AcceptEncoding() {}

    static AcceptEncoding parse(String header) {
        AcceptEncoding accepted = new AcceptEncoding();
        for (String element : header.split(",")) {
            Matcher matcher = ELEMENT.matcher(element);
            if (matcher.matches()) {
                String quality = matcher.group(2);
                accepted.qualities.merge(
                        name(matcher.group(1)),
                        quality == null ? 1 : Double.parseDouble(quality),
                        Math::min);
            }
        }
        return accepted;
    }

    private static String name(String token) {
        String name = token.toLowerCase(Locale.ROOT);
        return name.equals("x-gzip") ? "gzip" : name;
    }

    /**
     * The coding with the highest quality. Of equal ones zstd comes first, which is smaller and
     * takes less time to write and to read, and the plain form last.
     *
     * @param zstd whether zstd is available; asked only if the client accepts it
     */
    ContentCoding best(BooleanSupplier zstd) {
        ContentCoding best = ContentCoding.IDENTITY;
        double quality = qualities.getOrDefault(ContentCoding.IDENTITY.token(), 0.0);
        double ofGzip =
                qualities.getOrDefault(
                        ContentCoding.GZIP.token(), qualities.getOrDefault(ANY, 0.0));
        if (ofGzip > 0 && ofGzip >= quality) {
            best = ContentCoding.GZIP;
            quality = ofGzip;
        }
        double ofZstd = qualities.getOrDefault(ContentCoding.ZSTD.token(), 0.0);
        return ofZstd > 0 && ofZstd >= quality && zstd.getAsBoolean() ? ContentCoding.ZSTD : best;
    }
}
