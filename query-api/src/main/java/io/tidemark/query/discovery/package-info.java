/**
 * API discovery: groups, versions, resources and OpenAPI, as pure functions of the catalogue. Start
 * with {@link io.tidemark.query.discovery.Discovery}.
 */
@NullMarked
package io.tidemark.query.discovery;

import org.jspecify.annotations.NullMarked;
