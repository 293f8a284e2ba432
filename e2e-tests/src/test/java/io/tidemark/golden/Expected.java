package io.tidemark.golden;

import java.util.Map;

/**
 * The expected answer: as recorded, or as a deviation declares.
 *
 * @param headers with names in lower case
 */
record Expected(int status, Map<String, String> headers, Content content) {
    Expected withContent(Content other) {
        return new Expected(status, headers, other);
    }
}
