package io.tidemark.query.catalog;

import io.tidemark.view.JsonMembers;
import io.tidemark.view.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is to be done to a stored object so that it is one of the version asked for. etcd holds each
 * object in one version, the newest its API server knew when it was last written, so this is
 * decided by what the object says of itself, never by its key.
 */
public sealed interface ServedVersion {
    /** Its bytes pass as they are. */
    record AsStored() implements ServedVersion {}

    /**
     * A few bytes are to be replaced: those of the apiVersion's text, without its quotes.
     *
     * @param fromInclusive and {@code toExclusive}: places in {@link StoredObject#stored()}
     * @param apiVersion not to be written to
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Renamed(int fromInclusive, int toExclusive, byte[] apiVersion)
            implements ServedVersion {}

    /** It is another document, which is made each time it is asked for. */
    final class Converted implements ServedVersion {
        private static final Logger LOG = LoggerFactory.getLogger(ServedVersion.class);

        private final StoredObject object;
        private final Renamed renamed;
        private final UnaryOperator<byte[]> way;

        Converted(StoredObject object, Renamed renamed, UnaryOperator<byte[]> way) {
            this.object = object;
            this.renamed = renamed;
            this.way = way;
        }

        /**
         * The document. An object that does not lend itself to the conversion is shown as it is
         * stored, under the name of the version: one odd object must not end a list.
         *
         * @param resourceVersion to show in place of the object's own
         */
        public byte[] json(long resourceVersion) {
            try {
                return way.apply(input(false, resourceVersion));
            } catch (RuntimeException e) {
                LOG.debug("{} is served as it is stored", object, e);
                return input(true, resourceVersion);
            }
        }

        /** The value with its revision replaced, and its apiVersion too if asked for. */
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

    /** There is no way to that version here: the object is to be left out. */
    record Unservable(String storedApiVersion) implements ServedVersion {}

    /** Cheap: conversions are only chosen here. */
    static ServedVersion of(Resource resource, StoredObject object) {
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
                    .<ServedVersion>map(way -> new Converted(object, renamed, way))
                    .orElseGet(() -> same ? new AsStored() : renamed);
        }
        return BuiltInConversions.between(stored, resource)
                .<ServedVersion>map(way -> new Converted(object, renamed, way))
                .orElseGet(() -> new Unservable(stored));
    }

    private static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
