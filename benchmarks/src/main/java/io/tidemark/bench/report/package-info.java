/** Results as JSON, as a Markdown table and as a page with plots. */
@NullMarked
package io.tidemark.bench.report;

import org.jspecify.annotations.NullMarked;
