package io.tidemark.etcd;

import java.util.List;

/**
 * A transaction: writes that happen together at one revision, {@code then} if every condition
 * holds, else {@code otherwise}. etcd accepts 128 writes by default ({@code --max-txn-ops}), each
 * key once.
 */
public record Txn(List<Compare> conditions, List<Op> then, List<Op> otherwise) {
    public Txn {
        conditions = List.copyOf(conditions);
        then = List.copyOf(then);
        otherwise = List.copyOf(otherwise);
    }

    /** Unconditional writes. */
    public static Txn of(Op... writes) {
        return new Txn(List.of(), List.of(writes), List.of());
    }

    /** Writes that happen only if every condition holds; else nothing is written. */
    public static Txn guarded(List<Compare> conditions, List<Op> then) {
        return new Txn(conditions, then, List.of());
    }

    /**
     * Result of a transaction.
     *
     * @param succeeded whether the conditions held
     * @param revision etcd's revision afterwards: that of the writes, if there were any
     */
    public record Result(boolean succeeded, long revision) {}
}
