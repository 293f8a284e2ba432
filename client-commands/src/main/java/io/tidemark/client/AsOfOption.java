package io.tidemark.client;

import java.time.ZonedDateTime;
import picocli.CommandLine.Option;

/** The revision or time as of which a command reads. */
final class AsOfOption {
    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Show the state as of a time: " + TimeArgument.TIMES + ".")
    private String at = "";

    @Option(
            names = "--revision",
            paramLabel = "R",
            description = "Show the state as of exactly this resourceVersion.")
    private String revision = "";

    /**
     * @throws UsageException when it is not a time or revision, or both are given
     */
    TimeArgument moment() {
        if (!at.isEmpty() && !revision.isEmpty()) {
            throw new UsageException("give --at or --revision, not both");
        }
        if (!revision.isEmpty()) {
            if (!revision.matches("[1-9]\\d{0,17}")) {
                throw new UsageException("--revision: '%s' is not a number".formatted(revision));
            }
            return new TimeArgument.Revision(Long.parseLong(revision));
        }
        return at.isEmpty()
                ? new TimeArgument.Now()
                : TimeArgument.parseTime("--at", at, ZonedDateTime.now());
    }
}
