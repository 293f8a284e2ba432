package io.tidemark.query.http.health;

import io.tidemark.json.GoQuote;
import io.tidemark.query.access.MirroredRules;
import io.tidemark.query.catalog.Catalog;
import io.tidemark.query.http.exchange.Exchange;
import io.tidemark.query.http.exchange.Response;
import io.tidemark.query.http.exchange.ServingContext;
import io.tidemark.query.http.exchange.UnreadableObjects;
import io.tidemark.query.wire.Parameters;
import io.tidemark.selfcheck.CheckReport;
import io.tidemark.serving.freshness.ConsistentReadProbe;
import io.tidemark.serving.freshness.WatermarkTracker;
import io.tidemark.serving.read.PartitionSet;
import io.tidemark.serving.read.PartitionSetStatus;
import io.tidemark.view.DiskState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Liveness and readiness: {@code /livez} and {@code /healthz}, {@code /readyz}, and each check
 * below them. {@code ?verbose} adds details of each partition and lists unreadable objects; {@code
 * ?exclude=} skips a check.
 */
public final class HealthEndpoint {
    private static final Check PING = new Check("ping", true, "");

    private final ServingContext serving;
    private final WatermarkTracker watermarks;
    private final Supplier<Catalog> catalog;
    private final BooleanSupplier catalogReady;
    private final BooleanSupplier stopping;
    private final InstantSource clock;
    private final Supplier<CheckReport> selfCheck;
    private final ConsistentReadProbe readProbe;
    private final Supplier<DiskState> disk;
    private final Optional<MirroredRules> rules;
    private final boolean open;

    /**
     * @param open whether all callers may read everything
     */
    public HealthEndpoint(
            ServingContext serving,
            Supplier<Catalog> catalog,
            BooleanSupplier catalogReady,
            BooleanSupplier stopping,
            InstantSource clock,
            Supplier<CheckReport> selfCheck,
            ConsistentReadProbe readProbe,
            Supplier<DiskState> disk,
            Optional<MirroredRules> rules,
            boolean open) {
        this.rules = rules;
        this.open = open;
        this.selfCheck = selfCheck;
        this.readProbe = readProbe;
        this.disk = disk;
        this.serving = serving;
        this.watermarks = serving.watermarks();
        this.catalog = catalog;
        this.catalogReady = catalogReady;
        this.stopping = stopping;
        this.clock = clock;
    }

    /** The result of a check; {@code detail} describes it or says why it failed. */
    private record Check(String name, boolean good, String detail) {
        String line() {
            return good
                    ? "[+]" + name + " ok" + (detail.isEmpty() ? "\n" : ": " + detail + "\n")
                    : "[-]" + name + " failed: " + detail + "\n";
        }
    }

    /**
     * Whether a request asks for the result only, which everyone may know. A part or an exclusion
     * would tell which check fails.
     *
     * @param part a single check; empty for all
     */
    public static boolean asksForResultOnly(String part, Parameters parameters) {
        return part.isEmpty() && !parameters.has("verbose") && !parameters.has("exclude");
    }

    /**
     * @param part a single check; empty for all
     * @param details whether the caller may know which checks fail
     */
    public void handle(Exchange exchange, String check, String part, boolean details)
            throws IOException, InterruptedException {
        List<Check> checks = check.equals("readyz") ? readiness() : List.of(PING);
        if (part.isEmpty()) {
            answerAll(exchange, check, checks, details);
            return;
        }
        Optional<Check> one = checks.stream().filter(c -> c.name().equals(part)).findFirst();
        if (one.isEmpty()) {
            exchange.response().answerNotFound();
        } else if (one.get().good()) {
            exchange.response().answer(200, Response.TEXT, "ok".getBytes(StandardCharsets.UTF_8));
        } else {
            exchange.response().answerText(503, "failed: " + one.get().detail() + "\n");
        }
    }

    private void answerAll(Exchange exchange, String check, List<Check> checks, boolean details)
            throws IOException, InterruptedException {
        if (!details) {
            boolean good = checks.stream().allMatch(Check::good);
            exchange.response()
                    .answerText(good ? 200 : 503, good ? "ok" : check + " check failed\n");
            return;
        }
        Set<String> excluded = new TreeSet<>(exchange.parameters().texts("exclude"));
        StringBuilder report = new StringBuilder();
        boolean good = true;
        for (Check one : checks) {
            if (excluded.remove(one.name())) {
                report.append("[+]").append(one.name()).append(" excluded: ok\n");
            } else {
                report.append(one.line());
                good &= one.good();
            }
        }
        boolean verbose = exchange.parameters().has("verbose");
        if (verbose && check.equals("readyz")) {
            // Informational: responses leave them out with a warning, which does not make a node
            // unready.
            report.append("[+]unreadable ");
            report.append(UnreadableObjects.report(serving, catalog.get().resources(), open));
            report.append('\n');
            appendReadsOfNow(report);
            appendStalenessOfRules(report);
            appendSelfCheck(report);
        }
        if (!excluded.isEmpty()) {
            report.append("warn: some health checks cannot be excluded: no matches for ");
            report.append(String.join(", ", excluded.stream().map(GoQuote::string).toList()));
            report.append('\n');
        }
        report.append(check).append(good ? " check passed\n" : " check failed\n");
        exchange.response()
                .answerText(good ? 200 : 503, good && !verbose ? "ok" : report.toString());
    }

    /** Informational: reads that accept stale data still work. */
    private void appendReadsOfNow(StringBuilder report) {
        report.append(
                "[%s]reads-of-now %s\n".formatted(readProbe.good() ? "+" : "!", readProbe.text()));
    }

    /** Informational: requests are refused one by one, and system:masters are still served. */
    private void appendStalenessOfRules(StringBuilder report) {
        rules.flatMap(MirroredRules::staleness)
                .ifPresent(staleness ->
                        report.append(
                                "[%s]rules-staleness %s\n"
                                        .formatted(
                                                staleness.isAboveLimit() ? "!" : "+", staleness)));
    }

    /** Informational: a replica that differs is rebuilt automatically. */
    private void appendSelfCheck(StringBuilder report) {
        CheckReport now = selfCheck.get();
        if (!now.on()) {
            report.append("[+]selfcheck off\n");
            return;
        }
        report.append(
                "[+]selfcheck every %.1f s, the last took %d ms of processor time"
                        .formatted(now.intervalMillis() / 1e3, now.costMillis()));
        report.append(now.trouble().isEmpty() ? "\n" : "; " + now.trouble() + "\n");
        for (CheckReport.Partition each : now.partitions()) {
            report.append(
                    "[%s]selfcheck-partition-%d %s\n"
                            .formatted(
                                    each.good() ? "+" : "!",
                                    each.partition(),
                                    each.text(clock.millis())));
        }
    }

    private List<Check> readiness() {
        List<Check> checks = new ArrayList<>();
        checks.add(PING);
        checks.add(check("shutdown", !stopping.getAsBoolean(), "stopping"));
        checks.add(check("catalog", catalogReady.getAsBoolean(), "not read yet"));
        DiskState space = disk.get();
        if (space.freeBytes() >= 0 || space.isFull()) {
            checks.add(new Check("disk", !space.isFull(), space.text()));
        }
        rules.ifPresent(mirrored -> checks.add(rules(mirrored)));
        int partitions = watermarks.partitions();
        checks.add(check("partitions", partitions > 0, "their number is not known yet"));
        long newest = 0;
        for (int p = 0; p < partitions; p++) {
            newest = Math.max(newest, watermarks.status(PartitionSet.one(p)).watermark());
        }
        for (int p = 0; p < partitions; p++) {
            checks.add(partition(p, newest));
        }
        return checks;
    }

    private static Check rules(MirroredRules mirrored) {
        Optional<String> missing = mirrored.missing();
        int unreadable = mirrored.unreadable().size();
        String detail =
                unreadable == 0
                        ? ""
                        : unreadable + " RBAC objects cannot be read, and grant nothing";
        return new Check("rules", missing.isEmpty(), missing.orElse(detail));
    }

    private Check partition(int partition, long newest) {
        PartitionSetStatus status = watermarks.status(PartitionSet.one(partition));
        String name = "partition-" + partition;
        if (status.missingPartition() >= 0) {
            return check(name, false, "no replica is reachable");
        }
        if (!status.ready()) {
            return check(name, false, "restoring, at " + status.watermark());
        }
        String detail =
                "epoch %d, watermark %d, lag %d, floor %d, age %d ms"
                        .formatted(
                                status.epoch(),
                                status.watermark(),
                                newest - status.watermark(),
                                status.floor(),
                                Math.max(0, clock.millis() - status.asOfMillis()));
        return new Check(name, true, detail);
    }

    private static Check check(String name, boolean good, String why) {
        return new Check(name, good, good ? "" : why);
    }
}
