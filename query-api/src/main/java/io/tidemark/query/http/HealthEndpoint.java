package io.tidemark.query.http;

import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.read.PartitionSet;
import io.tidemark.query.read.Tide;
import io.tidemark.query.read.Tides;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Whether this process lives, and whether it is ready to be asked: {@code /livez} and {@code
 * /healthz}, {@code /readyz}. With {@code ?verbose} each partition tells how it stands, and which
 * objects cannot be read.
 */
final class HealthEndpoint {
    private static final String TEXT = "text/plain; charset=utf-8";

    private final Reading reading;
    private final Tides tides;
    private final Supplier<Catalog> catalog;
    private final BooleanSupplier catalogReady;
    private final BooleanSupplier stopping;
    private final InstantSource clock;

    HealthEndpoint(
            Reading reading,
            Supplier<Catalog> catalog,
            BooleanSupplier catalogReady,
            BooleanSupplier stopping,
            InstantSource clock) {
        this.reading = reading;
        this.tides = reading.tides();
        this.catalog = catalog;
        this.catalogReady = catalogReady;
        this.stopping = stopping;
        this.clock = clock;
    }

    void handle(Exchange exchange, String check) throws IOException {
        boolean verbose = exchange.parameters().has("verbose");
        if (check.equals("readyz")) {
            ready(exchange, verbose);
        } else {
            String body = verbose ? "[+]ping ok\n" + check + " check passed\n" : "ok";
            answer(exchange, 200, body);
        }
    }

    private void ready(Exchange exchange, boolean verbose) throws IOException {
        StringBuilder report = new StringBuilder("[+]ping ok\n");
        boolean ready = check(report, "shutdown", !stopping.getAsBoolean(), "stopping");
        ready &= check(report, "catalog", catalogReady.getAsBoolean(), "not read yet");
        int partitions = tides.partitions();
        ready &= check(report, "partitions", partitions > 0, "their number is not known yet");
        long newest = 0;
        for (int p = 0; p < partitions; p++) {
            newest = Math.max(newest, tides.now(PartitionSet.one(p)).watermark());
        }
        for (int p = 0; p < partitions; p++) {
            ready &= partition(report, p, newest);
        }
        if (verbose) {
            // They are missing from answers, which say so; that is no reason to answer nothing.
            report.append("[+]unreadable ");
            report.append(UnreadableObjects.report(reading, catalog.get().resources()));
            report.append('\n');
        }
        report.append("readyz check ").append(ready ? "passed\n" : "failed\n");
        answer(exchange, ready ? 200 : 503, ready && !verbose ? "ok" : report.toString());
    }

    private boolean partition(StringBuilder report, int partition, long newest) {
        Tide tide = tides.now(PartitionSet.one(partition));
        String name = "partition-" + partition;
        if (tide.missing() >= 0) {
            return check(report, name, false, "no copy of it is here");
        }
        if (!tide.ready()) {
            return check(report, name, false, "restoring, at " + tide.watermark());
        }
        report.append("[+]").append(name);
        report.append(" ok: epoch ").append(tide.epoch());
        report.append(", watermark ").append(tide.watermark());
        report.append(", lag ").append(newest - tide.watermark());
        report.append(", floor ").append(tide.floor());
        report.append(", age ").append(Math.max(0, clock.millis() - tide.asOfMillis()));
        report.append(" ms\n");
        return true;
    }

    private static boolean check(StringBuilder report, String name, boolean good, String why) {
        report.append(good ? "[+]" : "[-]").append(name);
        report.append(good ? " ok\n" : " failed: " + why + "\n");
        return good;
    }

    private static void answer(Exchange exchange, int status, String body) throws IOException {
        exchange.answer(status, TEXT, body.getBytes(StandardCharsets.UTF_8));
    }
}
