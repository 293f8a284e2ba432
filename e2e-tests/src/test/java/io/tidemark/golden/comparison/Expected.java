package io.tidemark.golden.comparison;

import io.tidemark.golden.recording.Content;
import java.util.Map;

/**
 * The expected answer: as recorded, or as a deviation declares.
 *
 * @param headers with names in lower case
 */
public record Expected(int status, Map<String, String> headers, Content content) {
    Expected withContent(Content other) {
        return new Expected(status, headers, other);
    }
}
