package io.tidemark.kubernetes;

import io.tidemark.json.EightBytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Identifies core Secrets by their values, for any key: Kubernetes' protobuf envelope or JSON whose
 * kind is {@code Secret} or {@code SecretList} and whose apiVersion is {@code v1}, and a {@code
 * List} of such. Never throws; judges a truncated value by its beginning. Does not inspect
 * ciphertext, YAML or text within text.
 */
public final class SecretValues {
    private static final KindSelector SECRETS =
            new KindSelector() {
                @Override
                public long apiVersions(byte[] json, int from, int to) {
                    return TypeMetaScan.spells(json, from, to, "v1") ? 1 : 0;
                }

                @Override
                public long kinds(byte[] json, int from, int to) {
                    return TypeMetaScan.spells(json, from, to, SECRET)
                                    || TypeMetaScan.spells(json, from, to, "secretlist")
                            ? 1
                            : 0;
                }
            };

    private static final String SECRET = "secret";
    private static final long LETTERS_S = EightBytes.repeated('s');
    private static final long CASE_BITS = EightBytes.repeated('a' ^ 'A');
    private static final long BACKSLASHES = EightBytes.repeated('\\');

    private static final byte[] KIND = "{\"kind\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] API_VERSION =
            ",\"apiVersion\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LIST = "list".getBytes(StandardCharsets.US_ASCII);

    private SecretValues() {}

    /** For any bytes. Time is linear in their number. */
    public static boolean isSecret(byte[] bytes, int fromInclusive, int toExclusive) {
        return (StoredKinds.isProtobuf(bytes, fromInclusive, toExclusive)
                        || maySpellSecret(bytes, fromInclusive, toExclusive))
                && StoredKinds.inValue(bytes, fromInclusive, toExclusive, SECRETS) != 0;
    }

    /**
     * Whether the word Secret, in any case, or an escape, which may be a part of it, is in a text.
     * Most values of other users of etcd have neither, and need not be read as JSON.
     */
    private static boolean maySpellSecret(byte[] text, int from, int to) {
        int at = from;
        while (at < to) {
            if (at <= to - Long.BYTES) {
                long eight = EightBytes.at(text, at);
                long marks =
                        EightBytes.zeros((eight | CASE_BITS) ^ LETTERS_S)
                                | EightBytes.zeros(eight ^ BACKSLASHES);
                if (marks == 0) {
                    at += Long.BYTES;
                    continue;
                }
                at += EightBytes.first(marks);
            }
            if (text[at] == '\\' || TypeMetaScan.begins(text, at, to, SECRET)) {
                return true;
            }
            at++;
        }
        return false;
    }

    /**
     * For the JSON of a Kubernetes object that is known to be well-formed with one kind and
     * apiVersion: reads only up to these.
     */
    public static boolean isSecretObject(byte[] json, int fromInclusive, int toExclusive) {
        return StoredKinds.inObject(json, fromInclusive, toExclusive, SECRETS) != 0;
    }

    /**
     * Whether kind, apiVersion and metadata of an object, in this order and without blanks, leave
     * open if it is a Secret or holds some: it is a {@code List}, or the two are missing, as the
     * object spells them in another way.
     */
    public static boolean isOpen(byte[] metadataOnly, int fromInclusive, int toExclusive) {
        int kindFrom = fromInclusive + KIND.length;
        int kindTo = textEnd(metadataOnly, fromInclusive, toExclusive, KIND);
        return kindTo < 0
                || textEnd(metadataOnly, kindTo + 1, toExclusive, API_VERSION) < 0
                || isList(metadataOnly, kindFrom, kindTo);
    }

    /** Where a member's plain text ends; -1 when the bytes do not begin with such a member. */
    private static int textEnd(byte[] json, int from, int to, byte[] begin) {
        int textFrom = from + begin.length;
        if (textFrom > to || !Arrays.equals(json, from, textFrom, begin, 0, begin.length)) {
            return -1;
        }
        for (int i = textFrom; i < to && json[i] != '\\'; i++) {
            if (json[i] == '"') {
                return i;
            }
        }
        return -1;
    }

    private static boolean isList(byte[] json, int from, int to) {
        boolean same = to - from == LIST.length;
        for (int i = 0; same && i < LIST.length; i++) {
            same = (json[from + i] | 0x20) == LIST[i];
        }
        return same;
    }
}
