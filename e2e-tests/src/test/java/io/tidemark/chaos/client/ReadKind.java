package io.tidemark.chaos.client;

import java.util.SplittableRandom;

/** What readers request, and how often. */
public enum ReadKind {
    GET_NOW(5),
    GET_ANY(3),
    GET_AT_LEAST(3),
    LIST_NOW(3),
    LIST_ANY(2),
    LIST_AT_LEAST(2),
    LIST_EXACT(1),
    /** A namespace in pages, each page from any node. */
    LIST_PAGED(1),
    /** A label over all namespaces, so over all partitions and nodes. */
    LIST_EVERYWHERE(1);

    private static final ReadKind[] ALL = values();
    private static final int TOTAL = total();

    private final int weight;

    ReadKind(int weight) {
        this.weight = weight;
    }

    private static int total() {
        int total = 0;
        for (ReadKind kind : ALL) {
            total += kind.weight;
        }
        return total;
    }

    static ReadKind pick(SplittableRandom random) {
        int left = random.nextInt(TOTAL);
        for (ReadKind kind : ALL) {
            left -= kind.weight;
            if (left < 0) {
                return kind;
            }
        }
        throw new AssertionError();
    }

    boolean isGet() {
        return switch (this) {
            case GET_NOW, GET_ANY, GET_AT_LEAST -> true;
            case LIST_NOW, LIST_ANY, LIST_AT_LEAST, LIST_EXACT, LIST_PAGED, LIST_EVERYWHERE ->
                    false;
        };
    }
}
