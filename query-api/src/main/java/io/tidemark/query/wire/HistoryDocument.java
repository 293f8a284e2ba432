package io.tidemark.query.wire;

import io.tidemark.json.JsonBuffer;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.VersionPage;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * The versions of one object, newest last:
 *
 * <pre>
 * {"kind":"ObjectHistory","apiVersion":"tidemark.io/v1",
 *  "metadata":{"resourceVersion":"9000","continue":"…"},
 *  "floor":"4711",
 *  "items":[{"revision":"5000","time":"2026-11-21T14:03:00.100Z","type":"MODIFIED","object":{…}}]}
 * </pre>
 *
 * {@code floor} is the oldest readable revision: of the versions before it only the one that was
 * current then is included. It has no {@code time} if it is older than the known times. A version
 * that cannot be shown has a {@code problem}, the reason, instead of an {@code object}.
 */
public final class HistoryDocument {
    private HistoryDocument() {}

    /** The rendered content of a version. */
    public sealed interface VersionContent {
        /** Its JSON; read-only. */
        @SuppressWarnings("ArrayRecordComponent")
        record Json(byte[] json) implements VersionContent {}

        /** The reason why it cannot be shown. */
        record Problem(String why) implements VersionContent {}

        /** Not requested. */
        record Omitted() implements VersionContent {}
    }

    /** Renders one version of an object. */
    @FunctionalInterface
    public interface Body {
        /**
         * @param revision to show in place of the object's own, which is older when it was deleted
         */
        VersionContent of(StoredObject object, long revision);
    }

    /**
     * One compact document without a line feed.
     *
     * @param revision the revision that the history ends at
     * @param continueToken empty at the end
     */
    public static byte[] write(long revision, String continueToken, VersionPage page, Body body) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder head =
                new StringBuilder("{\"kind\":\"ObjectHistory\",\"apiVersion\":\"tidemark.io/v1\"");
        head.append(",\"metadata\":{\"resourceVersion\":\"").append(revision).append('"');
        if (!continueToken.isEmpty()) {
            head.append(",\"continue\":").append(JsonBuffer.quoted(continueToken));
        }
        head.append("},\"floor\":\"").append(page.floor()).append("\",\"items\":[");
        write(out, head);
        String separator = "";
        for (KeyVersion version : page.versions()) {
            write(out, new StringBuilder(separator));
            item(out, version, body.of(version.object(), version.revision()));
            separator = ",";
        }
        write(out, new StringBuilder("]}"));
        return out.toByteArray();
    }

    private static void item(ByteArrayOutputStream out, KeyVersion version, VersionContent shown) {
        StringBuilder item = new StringBuilder("{\"revision\":\"");
        item.append(version.revision()).append('"');
        if (version.timeMillis() > 0) {
            item.append(",\"time\":\"")
                    .append(Instant.ofEpochMilli(version.timeMillis()))
                    .append('"');
        }
        item.append(",\"type\":\"").append(version.step().name()).append('"');
        switch (shown) {
            case VersionContent.Json(byte[] json) -> {
                write(out, item.append(",\"object\":"));
                out.writeBytes(json);
                item.setLength(0);
            }
            case VersionContent.Problem(String why) ->
                    item.append(",\"problem\":").append(JsonBuffer.quoted(why));
            case VersionContent.Omitted _ -> {
                // Only revision, time and type.
            }
        }
        write(out, item.append('}'));
    }

    private static void write(ByteArrayOutputStream out, StringBuilder text) {
        out.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    }
}
