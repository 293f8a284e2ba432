package io.tidemark.query.http.exchange;

import io.tidemark.query.compress.Compression;
import io.tidemark.query.encode.EncodedObjects;
import io.tidemark.serving.freshness.Freshness;
import io.tidemark.serving.freshness.RecentRevisions;
import io.tidemark.serving.freshness.TimeTravel;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.read.ClusterView;
import io.tidemark.serving.watch.WatchHub;
import java.time.InstantSource;

/**
 * What all endpoints share. Requests read at {@link ReadPoints} only, which ask for their right.
 *
 * @param recent tells the present from the past, which needs another right
 * @param memory the memory budget of responses
 * @param encoded objects in protobuf
 * @param compression of watches
 * @param minimumRate the minimum rate at which clients must read
 * @param watchWriters the threads of live watches
 * @param endedWatches records watches whose right has ended
 * @param clock compared with the expiry of credentials
 */
public record ServingContext(
        ClusterView view,
        WatermarkTracker watermarks,
        Freshness freshness,
        TimeTravel timeTravel,
        RecentRevisions recent,
        WatchHub hub,
        ByteBudget memory,
        EncodedObjects encoded,
        Compression compression,
        MinimumRate minimumRate,
        WatchWriters watchWriters,
        EndedWatches endedWatches,
        InstantSource clock,
        QueryMetrics metrics,
        ServingLimits limits,
        ServingTimes times) {}
