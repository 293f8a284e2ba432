@NullMarked
package io.tidemark.authentication.jwt;

import org.jspecify.annotations.NullMarked;
