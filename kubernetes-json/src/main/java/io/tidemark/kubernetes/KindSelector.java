package io.tidemark.kubernetes;

/**
 * Selections of kinds, each one bit: an object is selected by the bits that both of its methods
 * return. The texts are those between a JSON string's quotes, escapes included. Neither method
 * throws, for any bytes.
 */
public interface KindSelector {
    /** The selections that cover this apiVersion. */
    long apiVersions(byte[] json, int fromInclusive, int toExclusive);

    /** The selections that cover this kind, or the list of this kind. */
    long kinds(byte[] json, int fromInclusive, int toExclusive);
}
