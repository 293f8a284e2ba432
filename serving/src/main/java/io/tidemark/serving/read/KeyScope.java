package io.tidemark.serving.read;

import io.tidemark.record.Bytes;

/**
 * The keys that a request covers.
 *
 * @param key the key itself, or the prefix; for {@link Kind#DIRECTORY} and {@link Kind#COLLECTION}
 *     it ends with a slash
 */
public record KeyScope(Kind kind, Bytes key) {
    /** How the keys relate to {@link KeyScope#key}. */
    public enum Kind {
        /** The one key. */
        EXACT,
        /** Keys directly in a directory: one namespace's objects, or a cluster-scoped resource. */
        DIRECTORY,
        /** Keys one directory further down: a namespaced resource in all namespaces. */
        COLLECTION,
        /** Every key that starts with the prefix. */
        PREFIX
    }

    public static KeyScope exact(Bytes key) {
        return new KeyScope(Kind.EXACT, key);
    }

    public static KeyScope directory(Bytes directory) {
        return new KeyScope(Kind.DIRECTORY, directory);
    }

    public static KeyScope collection(Bytes directory) {
        return new KeyScope(Kind.COLLECTION, directory);
    }

    public static KeyScope prefix(Bytes prefix) {
        return new KeyScope(Kind.PREFIX, prefix);
    }

    public boolean contains(Bytes candidate) {
        return switch (kind) {
            case EXACT -> candidate.equals(key);
            case DIRECTORY -> candidate.startsWith(key) && slashesAfterKey(candidate) == 0;
            case COLLECTION -> candidate.startsWith(key) && slashesAfterKey(candidate) == 1;
            case PREFIX -> candidate.startsWith(key);
        };
    }

    private int slashesAfterKey(Bytes candidate) {
        int slashes = 0;
        for (int i = key.length(); i < candidate.length(); i++) {
            if (candidate.at(i) == '/') {
                slashes++;
            }
        }
        return slashes;
    }
}
