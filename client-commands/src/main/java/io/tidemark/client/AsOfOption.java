package io.tidemark.client;

import java.time.ZonedDateTime;
import picocli.CommandLine.Option;

/** As of when a command looks. */
final class AsOfOption {
    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Show what there was at a time: " + TimeArgument.TIMES + ".")
    private String at = "";

    @Option(
            names = "--revision",
            paramLabel = "R",
            description = "Show what there was at exactly this resourceVersion.")
    private String revision = "";

    /**
     * @throws UsageException when it is no time or revision, or both are given
     */
    TimeArgument moment() {
        if (!at.isEmpty() && !revision.isEmpty()) {
            throw new UsageException("either --at or --revision");
        }
        if (!revision.isEmpty()) {
            if (!revision.matches("[1-9]\\d{0,17}")) {
                throw new UsageException("--revision: '%s' is no number".formatted(revision));
            }
            return new TimeArgument.Revision(Long.parseLong(revision));
        }
        return at.isEmpty()
                ? new TimeArgument.Now()
                : TimeArgument.parseTime("--at", at, ZonedDateTime.now());
    }
}
