package io.tidemark.connector.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Reads the JSON documents of {@code /kv}. Pure. */
final class KeyValueDocuments {
    private static final ObjectMapper JSON = new ObjectMapper();

    private KeyValueDocuments() {}

    /**
     * A page of a list.
     *
     * @param remaining how many keys follow, 0 when none do or that is not known
     * @param more whether keys follow
     */
    record Page(long revision, List<KeyValue> items, boolean more, long remaining) {}

    /** A line of a watch. */
    sealed interface Line {}

    /** A key was put or deleted. */
    record Changed(KeyChange change) implements Line {}

    /**
     * Every change through a revision was sent.
     *
     * @param asOfMillis the time, since 1970, as of which this is etcd's state; 0 when not known
     */
    record Bookmark(long revision, long asOfMillis) implements Line {}

    /** The watch has ended. */
    record Refused(int code, String message) implements Line {}

    /**
     * @throws IOException when it is no such document
     */
    static Page page(byte[] document) throws IOException {
        JsonNode list = JSON.readTree(document);
        require(list.path("kind").asText().equals("KeyValueList"), "no list of keys and values");
        JsonNode metadata = list.path("metadata");
        List<KeyValue> items = new ArrayList<>();
        for (JsonNode item : list.path("items")) {
            items.add(keyValue(item));
        }
        boolean more = !metadata.path("continue").asText().isEmpty();
        require(!more || !items.isEmpty(), "a page without keys, and more to come");
        return new Page(
                revision(metadata),
                items,
                more,
                Math.max(0, metadata.path("remainingItemCount").asLong()));
    }

    /**
     * @throws IOException when it is no such line
     */
    static Line line(byte[] document) throws IOException {
        JsonNode event = JSON.readTree(document);
        JsonNode object = event.path("object");
        return switch (event.path("type").asText()) {
            case "ADDED", "MODIFIED" -> new Changed(new KeyChange.Put(keyValue(object), null));
            case "DELETED" ->
                    new Changed(
                            new KeyChange.Delete(
                                    bytes(object, "key"), number(object, "modRevision"), null));
            case "BOOKMARK" ->
                    new Bookmark(revision(object.path("metadata")), millis(object.path("asOf")));
            case "ERROR" -> refused(object);
            default -> throw new IOException("an event of no known type");
        };
    }

    /** The message of a Status, or of anything else that an answer holds. */
    static Refused refused(int code, byte[] document) {
        try {
            JsonNode status = JSON.readTree(document);
            if (status != null && status.path("kind").asText().equals("Status")) {
                return new Refused(code, refused(status).message());
            }
        } catch (IOException _) {
            // A proxy's answer, perhaps: not quoted.
        }
        return new Refused(code, "an answer with status %d that is no Status".formatted(code));
    }

    private static Refused refused(JsonNode status) {
        return new Refused(status.path("code").asInt(), status.path("message").asText());
    }

    private static KeyValue keyValue(JsonNode item) throws IOException {
        String problem = item.has("problem") ? problem(item.path("problem")) : "";
        boolean hasValue = problem.isEmpty() && (item.has("value") || item.has("valueBase64"));
        long created = number(item, "createRevision");
        long modified = number(item, "modRevision");
        require(created <= modified, "createRevision is after modRevision");
        return new KeyValue(
                bytes(item, "key"),
                hasValue ? bytes(item, "value") : Bytes.EMPTY,
                created,
                modified,
                number(item, "version"),
                lease(item.path("lease").asText()),
                problem);
    }

    /** Any other problem would be mirrored as if the value were known and empty. */
    private static String problem(JsonNode why) throws IOException {
        require(
                why.isTextual() && why.textValue().startsWith(Change.Put.LOCKED),
                "a value with a problem that this connector does not know");
        return why.textValue() + " (at the followed Tidemark)";
    }

    private static long lease(String hexadecimal) throws IOException {
        try {
            return hexadecimal.isEmpty() ? 0 : Long.parseUnsignedLong(hexadecimal, 16);
        } catch (NumberFormatException e) {
            throw new IOException("a lease that is no hexadecimal number", e);
        }
    }

    private static long number(JsonNode item, String name) throws IOException {
        JsonNode number = item.path(name);
        require(number.canConvertToLong() && number.longValue() > 0, name + " is no number");
        return number.longValue();
    }

    private static long revision(JsonNode metadata) throws IOException {
        try {
            return Long.parseLong(metadata.path("resourceVersion").asText());
        } catch (NumberFormatException e) {
            throw new IOException("a resourceVersion that is no number", e);
        }
    }

    private static long millis(JsonNode time) throws IOException {
        try {
            return time.isTextual() ? Instant.parse(time.textValue()).toEpochMilli() : 0;
        } catch (DateTimeException | ArithmeticException e) {
            throw new IOException("asOf is no time", e);
        }
    }

    private static Bytes bytes(JsonNode item, String name) throws IOException {
        JsonNode text = item.path(name);
        if (text.isTextual()) {
            return Bytes.utf8(text.textValue());
        }
        JsonNode encoded = item.path(name + "Base64");
        require(encoded.isTextual(), "no " + name);
        try {
            return Bytes.wrap(Base64.getDecoder().decode(encoded.textValue()));
        } catch (IllegalArgumentException e) {
            throw new IOException(name + " is no base64", e);
        }
    }

    private static void require(boolean holds, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(otherwise);
        }
    }
}
