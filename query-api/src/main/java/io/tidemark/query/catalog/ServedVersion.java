package io.tidemark.query.catalog;

import io.tidemark.view.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

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

    /**
     * It is another document, with the object's own resourceVersion.
     *
     * @param json not to be written to
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Converted(byte[] json) implements ServedVersion {}

    /** There is no way to that version here: the object is to be left out. */
    record Unservable(String storedApiVersion) implements ServedVersion {}

    static ServedVersion of(Resource resource, StoredObject object) {
        Optional<TopLevelMembers.Member> member =
                TopLevelMembers.find(
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
        if (stored.equals(served)) {
            return new AsStored();
        }
        boolean sameGroup = groupOf(stored).equals(resource.group());
        if (sameGroup && resource.conversion().byName()) {
            return new Renamed(from, to, served.getBytes(StandardCharsets.US_ASCII));
        }
        return Conversions.between(stored, resource)
                .<ServedVersion>map(way -> new Converted(way.apply(object.valueCopy())))
                .orElseGet(() -> new Unservable(stored));
    }

    private static String groupOf(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
