package io.tidemark.query.audit;

import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * What is recorded about requests.
 *
 * @param file of the lines
 * @param policy asked for each request
 */
public record AuditSettings(Path file, Supplier<AuditPolicy> policy) {}
