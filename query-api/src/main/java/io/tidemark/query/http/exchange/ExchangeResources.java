package io.tidemark.query.http.exchange;

import io.tidemark.query.audit.Auditor;
import io.tidemark.query.compress.Compression;
import io.tidemark.serving.read.ByteBudget;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Resources shared by all exchanges.
 *
 * @param clock the base of relative times
 * @param memory of all responses together
 * @param minimumRate at which clients must receive
 * @param last whether a response is the last one of its connection
 * @param auditor records requests, if they are recorded
 */
public record ExchangeResources(
        InstantSource clock,
        ByteBudget memory,
        MinimumRate minimumRate,
        Compression compression,
        BooleanSupplier last,
        Optional<Auditor> auditor) {}
