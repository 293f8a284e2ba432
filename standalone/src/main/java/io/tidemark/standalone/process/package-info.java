/**
 * The life of a process: its data folder and limits at the start, its stages at the end. Start with
 * {@link io.tidemark.standalone.process.ProcessLifecycle} and {@link
 * io.tidemark.standalone.process.ShutdownStages}.
 */
@NullMarked
package io.tidemark.standalone.process;

import org.jspecify.annotations.NullMarked;
