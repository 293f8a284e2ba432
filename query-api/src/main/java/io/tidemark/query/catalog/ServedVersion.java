package io.tidemark.query.catalog;

import io.tidemark.json.JsonMembers;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversion that one stored object needs to be served in the requested version. etcd holds
 * each object in the version that its API server preferred when it was last written, so the
 * object's own apiVersion decides, never its key.
 */
public sealed interface ServedVersion {
    /** The stored bytes are served unchanged. */
    record AsStored() implements ServedVersion {}

    /**
     * Only the text of the apiVersion, without its quotes, is replaced.
     *
     * @param fromInclusive and {@code toExclusive}: offsets in {@link StoredObject#stored()}
     * @param apiVersion read-only
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Renamed(int fromInclusive, int toExclusive, byte[] apiVersion)
            implements ServedVersion {}

    /** A converted document, computed on each call. */
    final class Converted implements ServedVersion {
        private static final Logger LOG = LoggerFactory.getLogger(ServedVersion.class);

        private final StoredObject object;
        private final Renamed renamed;
        private final UnaryOperator<byte[]> conversion;

        Converted(StoredObject object, Renamed renamed, UnaryOperator<byte[]> conversion) {
            this.object = object;
            this.renamed = renamed;
            this.conversion = conversion;
        }

        /**
         * The document. If the conversion fails, the object is served as stored under the served
         * apiVersion: one odd object must not fail a list.
         *
         * @param resourceVersion to show in place of the object's own
         */
        public byte[] json(long resourceVersion) {
            try {
                return conversion.apply(input(false, resourceVersion));
            } catch (RuntimeException e) {
                LOG.debug("conversion of {} failed: served as stored", object, e);
                return input(true, resourceVersion);
            }
        }

        /** The value with its resourceVersion and, if requested, its apiVersion replaced. */
        private byte[] input(boolean rename, long resourceVersion) {
            byte[] stored = object.stored();
            int revisionFrom = object.resourceVersionOffset();
            int revisionTo = revisionFrom + Long.toString(object.revision()).length();
            byte[] revision = Long.toString(resourceVersion).getBytes(StandardCharsets.US_ASCII);
            boolean ownRevision = resourceVersion == object.revision() || revisionFrom == 0;
            boolean revisionFirst = revisionFrom < renamed.fromInclusive();
            ByteArrayOutputStream out = new ByteArrayOutputStream(stored.length + 64);
            int at = object.valueOffset();
            for (boolean ofRevision : new boolean[] {revisionFirst, !revisionFirst}) {
                if (ofRevision ? !ownRevision : rename) {
                    int from = ofRevision ? revisionFrom : renamed.fromInclusive();
                    out.write(stored, at, from - at);
                    out.writeBytes(ofRevision ? revision : renamed.apiVersion());
                    at = ofRevision ? revisionTo : renamed.toExclusive();
                }
            }
            out.write(stored, at, stored.length - at);
            return out.toByteArray();
        }
    }

    /** No conversion to that version exists: the object is left out. */
    record Unservable(String storedApiVersion) implements ServedVersion {}

    /** Chooses the conversion without performing it, so it is cheap. */
    static ServedVersion of(Resource resource, StoredObject object) {
        if (ProtobufForm.isMessage(object)) {
            String type = ProtobufForm.type(resource.apiVersion(), resource.kind());
            return ProtobufForm.length(object, type) >= 0 ? new AsStored() : new Unservable("");
        }
        Optional<JsonMembers.Member> member =
                JsonMembers.find(
                        object.stored(),
                        object.valueOffset(),
                        object.stored().length,
                        "apiVersion");
        if (member.isEmpty()) {
            return new Unservable("");
        }
        int from = member.get().valueFrom() + 1;
        int to = member.get().valueTo() - 1;
        String stored =
                from > to
                        ? ""
                        : new String(object.stored(), from, to - from, StandardCharsets.UTF_8);
        String served = resource.apiVersion();
        Renamed renamed = new Renamed(from, to, served.getBytes(StandardCharsets.US_ASCII));
        boolean same = stored.equals(served);
        if (same || (groupOf(stored).equals(resource.group()) && resource.conversion().byName())) {
            String version = stored.substring(stored.indexOf('/') + 1);
            return resource.schema()
                    .between(version, resource.version())
                    .<ServedVersion>map(conversion -> new Converted(object, renamed, conversion))
                    .orElseGet(() -> same ? new AsStored() : renamed);
        }
        return BuiltInConversions.between(stored, resource)
                .<ServedVersion>map(conversion -> new Converted(object, renamed, conversion))
                .orElseGet(() -> new Unservable(stored));
    }

    private static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
