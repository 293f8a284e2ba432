/**
 * The served Kubernetes resources: built-in ones and those that mirrored CustomResourceDefinitions
 * declare. Start with {@link io.tidemark.query.catalog.Resource} and {@link
 * io.tidemark.query.catalog.LiveCatalog}.
 */
@NullMarked
package io.tidemark.query.catalog;

import org.jspecify.annotations.NullMarked;
