package io.tidemark.golden;

import java.util.Map;

/**
 * What is to be answered: as recorded, or as a deviation says.
 *
 * @param headers with names in lower case
 */
record Expected(int status, Map<String, String> headers, Content content) {
    Expected withContent(Content other) {
        return new Expected(status, headers, other);
    }
}
