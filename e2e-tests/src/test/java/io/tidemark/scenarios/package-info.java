/**
 * The upstream test suites' scenarios of list and watch, as a client of the real program with a
 * real etcd sees them. Classes are named after the upstream file, methods after the scenario. Start
 * with {@code WatcherTestsIT}.
 */
@NullMarked
package io.tidemark.scenarios;

import org.jspecify.annotations.NullMarked;
