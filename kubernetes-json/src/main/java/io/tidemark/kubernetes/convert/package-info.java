/**
 * Conversions between the versions of a kind, where the stored version is not the requested one.
 * Start with {@link io.tidemark.kubernetes.convert.VersionConverter}.
 */
@NullMarked
package io.tidemark.kubernetes.convert;

import org.jspecify.annotations.NullMarked;
