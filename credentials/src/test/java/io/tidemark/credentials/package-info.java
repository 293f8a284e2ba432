@NullMarked
package io.tidemark.credentials;

import org.jspecify.annotations.NullMarked;
