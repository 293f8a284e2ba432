package io.tidemark.kubernetes;

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
                    return TypeMetaScan.spells(json, from, to, "secret")
                                    || TypeMetaScan.spells(json, from, to, "secretlist")
                            ? 1
                            : 0;
                }
            };

    private static final KindSelector LISTS =
            new KindSelector() {
                @Override
                public long apiVersions(byte[] json, int from, int to) {
                    return TypeMetaScan.spells(json, from, to, "v1") ? 1 : 0;
                }

                @Override
                public long kinds(byte[] json, int from, int to) {
                    return TypeMetaScan.spells(json, from, to, "list") ? 1 : 0;
                }
            };

    private SecretValues() {}

    /** For any bytes. Time is linear in their number. */
    public static boolean isSecret(byte[] bytes, int fromInclusive, int toExclusive) {
        return StoredKinds.inValue(bytes, fromInclusive, toExclusive, SECRETS) != 0;
    }

    /**
     * For the JSON of a Kubernetes object that is known to be well-formed with one kind and
     * apiVersion: reads only up to these.
     */
    public static boolean isSecretObject(byte[] json, int fromInclusive, int toExclusive) {
        return StoredKinds.inObject(json, fromInclusive, toExclusive, SECRETS) != 0;
    }

    /** Whether such an object is a {@code List}: only its items show whether it is of Secrets. */
    public static boolean isListObject(byte[] json, int fromInclusive, int toExclusive) {
        return StoredKinds.inObject(json, fromInclusive, toExclusive, LISTS) != 0;
    }
}
