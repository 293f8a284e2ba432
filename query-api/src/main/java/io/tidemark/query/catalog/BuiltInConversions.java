package io.tidemark.query.catalog;

import io.tidemark.kubernetes.convert.VersionConverter;
import io.tidemark.record.Bytes;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The few built-in kinds whose stored version differs from a served one in more than its name:
 * events of the newer group, which share the core group's directory, definitions of custom
 * resources, which API servers still write as v1beta1, autoscalers, claims for devices and slices
 * of them, and priority levels.
 */
final class BuiltInConversions {
    private static final String DEFINITIONS = "apiextensions.k8s.io/v1";
    private static final VersionConverter VERSIONS = new VersionConverter();

    private BuiltInConversions() {}

    /**
     * The conversion from objects stored as {@code stored} to {@code resource}, if there is one. It
     * throws for bytes that are not a JSON object.
     */
    static Optional<UnaryOperator<byte[]>> between(String stored, Resource resource) {
        String served = resource.apiVersion();
        if (!VERSIONS.canConvert(resource.kind(), stored, served)) {
            return Optional.empty();
        }
        return Optional.of(json -> convert(json, served));
    }

    /** A definition in its newest version, from which schemas are compiled. */
    static Bytes definition(byte[] json) {
        return Bytes.wrap(convert(json, DEFINITIONS));
    }

    private static byte[] convert(byte[] json, String version) {
        return VERSIONS.convert(Bytes.wrap(json), version).map(Bytes::array).orElse(json);
    }
}
