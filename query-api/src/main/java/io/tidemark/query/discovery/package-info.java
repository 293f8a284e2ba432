/**
 * What the server says it serves: API groups, versions and resources. Pure functions of the
 * catalogue; depends on it, on refusals and on the table package's negotiation.
 */
@NullMarked
package io.tidemark.query.discovery;

import org.jspecify.annotations.NullMarked;
