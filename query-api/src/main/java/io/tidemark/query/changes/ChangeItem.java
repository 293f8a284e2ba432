package io.tidemark.query.changes;

import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.KeyVersion.Step;
import java.util.List;
import java.util.Optional;

/**
 * One change of one object, as it is shown.
 *
 * @param step what happened to the object
 * @param fields what differs, at most {@link ChangeDescriber#MAX_FIELDS}; of an object that came or
 *     went none
 * @param moreFields how many more differ
 * @param message what an Event says; else empty
 * @param owner the object's controller, or what an Event is about
 * @param root the last of the chain of owners; the owner until it is looked up
 */
public record ChangeItem(
        long revision,
        int index,
        Step step,
        ChangeClass about,
        ObjectName object,
        List<FieldChange> fields,
        int moreFields,
        String message,
        Optional<ObjectName> owner,
        Optional<ObjectName> root) {
    /** Without its texts and fields. */
    private static final long ITEM_BYTES = 1_024;

    private static final long FIELD_BYTES = 256;

    public ChangeItem {
        fields = List.copyOf(fields);
    }

    /** Where it is in the order of all changes. */
    public ChangePosition position() {
        return new ChangePosition(revision, index);
    }

    /** Approximate bytes in memory, also of a root as large as the owner. */
    public long weight() {
        long length = object.length() + message.length();
        for (ObjectName each : owner.stream().toList()) {
            length += 2L * each.length();
        }
        for (FieldChange each : fields) {
            length += each.path().length() + each.manager().length();
            length += each.before() == null ? 0 : each.before().length();
            length += each.after() == null ? 0 : each.after().length();
        }
        return ITEM_BYTES + fields.size() * FIELD_BYTES + Character.BYTES * length;
    }

    /** The same with the last of the chain of owners. */
    public ChangeItem withRoot(Optional<ObjectName> found) {
        return new ChangeItem(
                revision, index, step, about, object, fields, moreFields, message, owner, found);
    }
}
