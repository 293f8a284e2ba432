/**
 * Files with secrets, private keys and certificates: read, checked, and read again when their
 * content changes. Start with {@link io.tidemark.credentials.TlsIdentity} and {@link
 * io.tidemark.credentials.ReloadedFiles}.
 */
@NullMarked
package io.tidemark.credentials;

import org.jspecify.annotations.NullMarked;
