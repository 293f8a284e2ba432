package io.tidemark.serving.read;

import io.tidemark.record.PartitionAssigner;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The partitions that hold the keys of a scope: one, or all of them.
 *
 * @param first and {@code endExclusive}: a range of partition numbers, not empty
 */
public record PartitionSet(int first, int endExclusive) {
    public PartitionSet {
        if (first < 0 || endExclusive <= first) {
            throw new IllegalArgumentException(
                    "partitions %d to %d".formatted(first, endExclusive));
        }
    }

    public static PartitionSet of(KeyScope scope, int partitions) {
        PartitionAssigner assigner = new PartitionAssigner(partitions);
        return switch (scope.kind()) {
            case EXACT -> one(assigner.partitionOf(scope.key()));
            case DIRECTORY -> one(assigner.partitionOfDirectory(scope.key()));
            case COLLECTION, PREFIX -> new PartitionSet(0, partitions);
        };
    }

    public static PartitionSet one(int partition) {
        return new PartitionSet(partition, partition + 1);
    }

    public int size() {
        return endExclusive - first;
    }

    /** The partition at an index, from 0. */
    public int at(int index) {
        return first + index;
    }

    public IntStream numbers() {
        return IntStream.range(first, endExclusive);
    }

    @Override
    public String toString() {
        return size() == 1 ? Integer.toString(first) : Arrays.toString(numbers().toArray());
    }
}
