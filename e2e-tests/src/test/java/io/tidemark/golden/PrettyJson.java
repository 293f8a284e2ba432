package io.tidemark.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;

/** JSON over many lines, as the API server writes it. */
final class PrettyJson {
    private static final DefaultIndenter INDENTER = new DefaultIndenter("  ", "\n");

    private PrettyJson() {}

    static String print(JsonNode document) {
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter(
                        Separators.createDefaultInstance()
                                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                                .withArrayEmptySeparator("")
                                .withObjectEmptySeparator(""));
        printer.indentArraysWith(INDENTER);
        printer.indentObjectsWith(INDENTER);
        try {
            return GoldenRecordings.JSON.writer(printer).writeValueAsString(document);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
