package io.tidemark.query.compress;

/** The content codings of responses (RFC 9110, section 8.4.1). */
public enum ContentCoding {
    /** Not compressed. */
    IDENTITY("identity"),
    GZIP("gzip"),
    ZSTD("zstd");

    private final String token;

    ContentCoding(String token) {
        this.token = token;
    }

    /** Its name in {@code Content-Encoding} and {@code Accept-Encoding}. */
    public String token() {
        return token;
    }
}
