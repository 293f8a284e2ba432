package io.tidemark.streams.replica;

import io.tidemark.store.layout.StoreSettings;
import io.tidemark.store.read.ReadThreads;
import io.tidemark.store.rocksdb.RocksMemory;
import io.tidemark.streams.group.GroupCommits;
import java.time.Duration;
import java.time.InstantSource;

/**
 * What all stores of the process share.
 *
 * @param startup the stores that are open before Streams opens them
 * @param source the topic's id: a store built from another topic is reset
 * @param deleteRetention a store that was away for longer is reset
 * @param topic reads a partition again, for a store that has to be rebuilt
 * @param passed the corrupt ranges of the topic
 * @param ahead applies what Streams reads for restores and standbys
 * @param commits limits the offset that a store states when it is opened
 * @param disk keeps which stores wait for space
 */
public record StoreContext(
        OpenPartitions open,
        StoreCloser closer,
        StartupStores startup,
        StoreSettings store,
        String source,
        Duration deleteRetention,
        RocksMemory memory,
        ReadThreads gate,
        InstantSource clock,
        TopicReader topic,
        SkippedRanges passed,
        ReadAhead ahead,
        GroupCommits commits,
        DiskSpace disk) {}
