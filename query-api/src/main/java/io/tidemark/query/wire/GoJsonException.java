package io.tidemark.query.wire;

/** Invalid JSON, or JSON of an unexpected shape; the text is that of Go's encoding/json. */
final class GoJsonException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String text;

    GoJsonException(String text) {
        super(text, null, false, false);
        this.text = text;
    }

    String text() {
        return text;
    }
}
