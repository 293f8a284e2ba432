package io.tidemark.connector.value;

import io.tidemark.connector.redact.Redactor;
import io.tidemark.json.JsonTooLargeException;
import io.tidemark.json.MalformedJsonException;
import io.tidemark.record.Bytes;

/**
 * A classified value after the redaction rules. A value to which a rule applies and that is no
 * readable object is unreadable, since the rule cannot find what it must replace there.
 *
 * @param ruled whether a rule applies: the stored bytes must not be written anywhere
 */
record RedactedValue(ClassifiedValue read, boolean ruled) {
    private static final String WHY = "a redaction rule applies to a value that cannot be read: ";

    /**
     * Never throws, for any input.
     *
     * @param stored etcd's bytes
     * @param maxBytes limit of an object's JSON
     */
    static RedactedValue of(
            Redactor redactor, Bytes key, Bytes stored, ClassifiedValue read, int maxBytes) {
        if (redactor.isEmpty()) {
            return new RedactedValue(read, false);
        }
        long byKey = redactor.ofKey(key);
        if (read instanceof ClassifiedValue.KubernetesObject(Bytes json)) {
            long rules = byKey | redactor.ofObject(json);
            return rules == 0
                    ? new RedactedValue(read, false)
                    : new RedactedValue(object(redactor, rules, json, maxBytes), true);
        }
        if ((byKey | redactor.ofValue(stored)) == 0) {
            return new RedactedValue(read, false);
        }
        UnreadableReason reason =
                read instanceof ClassifiedValue.Unreadable(UnreadableReason known, _)
                        ? known
                        : UnreadableReason.NO_OBJECT;
        return new RedactedValue(unreadable(reason), true);
    }

    private static ClassifiedValue object(Redactor redactor, long rules, Bytes json, int maxBytes) {
        try {
            return new ClassifiedValue.KubernetesObject(redactor.redacted(rules, json, maxBytes));
        } catch (JsonTooLargeException _) {
            return unreadable(UnreadableReason.TOO_LARGE);
        } catch (MalformedJsonException _) {
            return unreadable(UnreadableReason.MALFORMED_JSON);
        }
    }

    /** A decoder's message may quote the value, so it is left out. */
    private static ClassifiedValue unreadable(UnreadableReason reason) {
        return new ClassifiedValue.Unreadable(reason, WHY + reason.label());
    }
}
