@NullMarked
package io.tidemark.authentication.remote;

import org.jspecify.annotations.NullMarked;
