package io.tidemark.query.follow;

/**
 * The bounds of what a {@link DirectoryFollower} keeps. Beyond one of them it drops everything.
 *
 * @param objects at most, at least 1
 * @param bytes of the stored objects together at most, at least 1
 */
public record FollowLimits(int objects, long bytes) {
    public FollowLimits {
        if (objects < 1 || bytes < 1) {
            throw new IllegalArgumentException("%d objects, %d bytes".formatted(objects, bytes));
        }
    }
}
