/**
 * Which Kubernetes resources there are: the built-in ones, and those that mirrored
 * CustomResourceDefinitions declare. Depends on the record format and on partition views.
 */
@NullMarked
package io.tidemark.query.catalog;

import org.jspecify.annotations.NullMarked;
