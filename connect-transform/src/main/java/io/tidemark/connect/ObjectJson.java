package io.tidemark.connect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

/** How mirrored objects' JSON is read and written: each object that etcd can hold is readable. */
final class ObjectJson {
    /** etcd bounds a value to some MiB; this only lifts Jackson's lower limits. */
    private static final int UNLIMITED = 1 << 28;

    /**
     * Only the limit of depth stays: the connector writes no JSON as deep, and readers recurse.
     * Without a table of names, which all parsers would share: it would refuse colliding names, and
     * keep thousands of any length, and who writes an object chooses its names.
     */
    static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(UNLIMITED)
                                    .maxNameLength(UNLIMITED)
                                    .maxNumberLength(UNLIMITED)
                                    .build())
                    .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                    .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
                    .build();

    private ObjectJson() {}
}
