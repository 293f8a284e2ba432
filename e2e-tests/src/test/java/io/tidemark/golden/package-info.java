/**
 * Sends Tidemark the requests of a recorded API server and compares the answers: requests on a
 * fixed state, watches during changes, and kubectl's commands. Start with {@code GoldenIT}. {@code
 * golden/deviations.json} lists each difference with its reason, and the test checks that answers
 * differ in that way only.
 */
@NullMarked
package io.tidemark.golden;

import org.jspecify.annotations.NullMarked;
