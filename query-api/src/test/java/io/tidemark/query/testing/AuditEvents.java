package io.tidemark.query.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.query.audit.AuditPolicy;
import io.tidemark.query.audit.AuditSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** The events in a node's audit log. */
public final class AuditEvents {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;

    /**
     * @param file which need not exist yet
     */
    public AuditEvents(Path file) {
        this.file = file;
    }

    /** For the node that writes them. */
    public AuditSettings settings(AuditPolicy policy) {
        return new AuditSettings(file, () -> policy);
    }

    /** Those of a stage so far, in the order of the log, for requests with a text in their URI. */
    public List<JsonNode> of(String stage, String inUri) throws IOException {
        List<JsonNode> found = new ArrayList<>();
        String text = Files.readString(file);
        for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
            JsonNode event = JSON.readTree(line);
            if (event.path("stage").asText().equals(stage)
                    && event.path("requestURI").asText().contains(inUri)) {
                found.add(event);
            }
        }
        return found;
    }

    /** Waits until a request with a text in its URI is complete. */
    public JsonNode complete(String inUri) {
        return Awaitility.await()
                .until(() -> of("ResponseComplete", inUri), found -> !found.isEmpty())
                .getFirst();
    }
}
