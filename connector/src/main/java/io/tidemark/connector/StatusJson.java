package io.tidemark.connector;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/** A connector's status as JSON. */
final class StatusJson {
    private static final JsonFactory JSON = new JsonFactory();

    private StatusJson() {}

    /**
     * @param url the connector's advertised address
     */
    static String of(ConnectorStatus status, String url) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("url", url);
            json.writeStringField("phase", status.phase().name());
            json.writeNumberField("epoch", status.epoch());
            json.writeNumberField("revision", status.revision());
            json.writeNumberField("etcdRevision", status.etcdRevision());
            json.writeNumberField("objectsListed", status.objectsListed());
            json.writeNumberField("objectsTotal", status.objectsTotal());
            json.writeNumberField("changes", status.changes());
            json.writeNumberField("deadLetters", status.deadLetters());
            json.writeNumberField("unreadableKeys", status.unreadableKeys());
            json.writeObjectFieldStart("gaps");
            json.writeNumberField("count", status.gaps().count());
            json.writeNumberField("lastFrom", status.gaps().lastFrom());
            json.writeNumberField("lastFloor", status.gaps().lastFloor());
            json.writeNumberField("lastWritten", status.gaps().lastWritten());
            json.writeNumberField("lastDeleted", status.gaps().lastDeleted());
            json.writeNumberField("lastMillis", status.gaps().lastMillis());
            json.writeEndObject();
            json.writeStringField("lastError", status.lastError());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text + "\n";
    }
}
