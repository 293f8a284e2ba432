package io.tidemark.query.http;

import io.tidemark.query.read.ByteBudget;
import io.tidemark.query.read.ClusterView;
import io.tidemark.query.read.Freshness;
import io.tidemark.query.read.TimeTravel;
import io.tidemark.query.read.WatermarkTracker;
import io.tidemark.query.watch.WatchHub;

/**
 * What endpoints read with.
 *
 * @param memory what answers may hold
 * @param minimumRate at which clients take them
 */
public record ServingContext(
        ClusterView view,
        WatermarkTracker watermarks,
        Freshness freshness,
        TimeTravel timeTravel,
        WatchHub hub,
        ByteBudget memory,
        MinimumRate minimumRate,
        QueryMetrics metrics,
        ServingLimits limits,
        ServingTimes times) {}
