package io.tidemark.client.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.client.ApiException;
import io.tidemark.client.NodeApiClient;
import io.tidemark.client.ResourceArguments.ResolvedTarget;
import io.tidemark.client.TimeArgument;
import io.tidemark.client.UsageException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the versions of one object. */
public final class VersionHistory {
    private VersionHistory() {}

    /**
     * Reads all pages into one document of kind {@code ObjectHistory}.
     *
     * @throws UsageException when more than one object is selected
     */
    static ObjectNode read(NodeApiClient api, ResolvedTarget found, String command)
            throws IOException, InterruptedException {
        if (!found.single()) {
            throw new UsageException(
                    "%s needs one object, such as %s/NAME"
                            .formatted(command, found.type().qualified()));
        }
        @Nullable ObjectNode whole = null;
        String token = "";
        do {
            String more = token.isEmpty() ? "" : "continue=" + token;
            String path = found.one(new TimeArgument.Now(), "history=true", more);
            JsonNode page = api.get(path, NodeApiClient.AS_JSON).json();
            if (!(page instanceof ObjectNode document)
                    || !(page.path("items") instanceof ArrayNode items)) {
                throw new ApiException(
                        404, "the server's response is not a history: is it a Tidemark node?");
            }
            token = page.path("metadata").path("continue").asText();
            if (whole == null) {
                whole = document;
            } else {
                whole.withArray("items").addAll(items);
            }
        } while (!token.isEmpty());
        if (whole.path("metadata") instanceof ObjectNode metadata) {
            metadata.remove("continue");
        }
        return whole;
    }
}
