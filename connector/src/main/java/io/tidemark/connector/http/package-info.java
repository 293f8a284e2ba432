/** The connector's HTTP face: barriers, health, metrics. */
@NullMarked
package io.tidemark.connector.http;

import org.jspecify.annotations.NullMarked;
