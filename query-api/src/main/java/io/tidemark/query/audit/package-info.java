/**
 * Records who asked for what, as JSON lines of {@code audit.k8s.io/v1}. {@link
 * io.tidemark.query.audit.Auditor} begins the audit of a request, {@link
 * io.tidemark.query.audit.AuditPolicy} decides what is recorded, {@link
 * io.tidemark.query.audit.AuditLog} writes it.
 */
@NullMarked
package io.tidemark.query.audit;

import org.jspecify.annotations.NullMarked;
