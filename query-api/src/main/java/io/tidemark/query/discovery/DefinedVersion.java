package io.tidemark.query.discovery;

import io.tidemark.query.catalog.Resource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;

/**
 * A version of a group with the definitions of its custom resources as of one moment. Definitions
 * change while their catalogue is in use; a document must be of those that its hash is of.
 */
final class DefinedVersion {
    private final List<Defined> resources;

    /**
     * A resource.
     *
     * @param definition read-only; empty for a built-in one, or when it is unknown
     */
    record Defined(Resource resource, Optional<byte[]> definition) {}

    DefinedVersion(Groups.Version version) {
        this.resources =
                version.resources().stream()
                        .map(resource -> new Defined(resource, resource.schema().definition()))
                        .toList();
    }

    List<Defined> resources() {
        return resources;
    }

    boolean isCustom() {
        return resources.stream().anyMatch(each -> each.resource().custom());
    }

    /**
     * A hash of the definitions, so that it is known before a document is made.
     *
     * @param form what else the document depends on
     */
    String hash(String form) {
        MessageDigest hash = Document.sha512();
        hash.update(form.getBytes(StandardCharsets.UTF_8));
        for (Defined each : resources) {
            Resource resource = each.resource();
            String what =
                    String.join(
                            " ",
                            resource.qualifiedName(),
                            resource.apiVersion(),
                            resource.kind(),
                            Boolean.toString(resource.namespaced()),
                            "");
            hash.update(what.getBytes(StandardCharsets.UTF_8));
            each.definition().ifPresent(hash::update);
        }
        return Document.hex(hash.digest());
    }
}
