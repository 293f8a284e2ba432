/**
 * Options of TLS, logins, rights, secrets and the audit log, and where a process may listen without
 * them. Start with {@link io.tidemark.standalone.options.security.AccessOptions} and {@link
 * io.tidemark.standalone.options.security.StartupRule}.
 */
@NullMarked
package io.tidemark.standalone.options.security;

import org.jspecify.annotations.NullMarked;
