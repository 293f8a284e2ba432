/** The dependency rules as tests. Depends on ArchUnit alone: it reads class files. */
@NullMarked
package io.tidemark.architecture;

import org.jspecify.annotations.NullMarked;
