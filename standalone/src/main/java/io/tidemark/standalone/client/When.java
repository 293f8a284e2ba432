package io.tidemark.standalone.client;

import io.tidemark.standalone.options.UsageException;
import java.time.ZonedDateTime;
import picocli.CommandLine.Option;

/** As of when a command looks. */
final class When {
    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Show what there was at a time: " + Moment.TIMES + ".")
    private String at = "";

    @Option(
            names = "--revision",
            paramLabel = "R",
            description = "Show what there was at exactly this resourceVersion.")
    private String revision = "";

    /**
     * @throws UsageException when it is no time or revision, or both are given
     */
    Moment moment() {
        if (!at.isEmpty() && !revision.isEmpty()) {
            throw new UsageException("either --at or --revision");
        }
        if (!revision.isEmpty()) {
            if (!revision.matches("[1-9]\\d{0,17}")) {
                throw new UsageException("--revision: '%s' is no number".formatted(revision));
            }
            return new Moment.Revision(Long.parseLong(revision));
        }
        return at.isEmpty() ? new Moment.Now() : Moment.parseTime("--at", at, ZonedDateTime.now());
    }
}
