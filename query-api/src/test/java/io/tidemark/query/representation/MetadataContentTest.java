package io.tidemark.query.representation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.catalog.BuiltInResources;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.json.GoJson;
import io.tidemark.record.Bytes;
import io.tidemark.serving.testing.StoredObjects;
import io.tidemark.view.object.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Metadata copied from stored bytes equals metadata that is decoded, ordered and written. */
class MetadataContentTest {
    private static final String[] TEXTS = {
        "name", "generateName", "namespace", "selfLink", "uid", "creationTimestamp", "unknown"
    };
    private static final String[] PARTS = {
        "uid",
        "name",
        "kind",
        "apiVersion",
        "controller",
        "manager",
        "operation",
        "time",
        "fieldsType",
        "subresource",
        "other"
    };

    private final Resource pods =
            BuiltInResources.under(Bytes.utf8("/registry/")).stream()
                    .filter(resource -> resource.qualifiedName().equals("pods"))
                    .findFirst()
                    .orElseThrow();

    @Test
    void copiesMetadataInAnyOrderOfMembers() {
        Content content = new MetadataContent(pods, "meta.k8s.io/v1");
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            ObjectNode metadata = metadata(random);
            ObjectNode pod = GoJson.NODES.objectNode();
            pod.put("apiVersion", "v1").set("metadata", metadata);
            pod.put("kind", "Pod");
            String json = text(GoJson.write(shuffled(pod, random)));
            StoredObject object = StoredObjects.of("/registry/pods/x/p", 42, json);
            ObjectNode other = metadata.deepCopy().put("resourceVersion", "1234567");

            for (StoredObject each : List.of(object, object.metadataOnly())) {
                assertThat(text(content.event(each, 1234567).orElseThrow()))
                        .as("seed %d: %s", seed, json)
                        .isEqualTo(text(GoJson.write(expected(other))));
            }
        }
    }

    private static JsonNode expected(ObjectNode metadata) {
        return MetadataJson.partial(metadata, "meta.k8s.io/v1");
    }

    private static ObjectNode metadata(Random random) {
        ObjectNode metadata = GoJson.NODES.objectNode().put("resourceVersion", "42");
        for (String name : TEXTS) {
            if (random.nextBoolean()) {
                metadata.put(name, value(random));
            }
        }
        metadata.put("generation", 1 + random.nextInt(20));
        metadata.putNull("deletionTimestamp");
        for (String map : new String[] {"labels", "annotations"}) {
            ObjectNode entries = metadata.putObject(map);
            for (int i = 0; i <= random.nextInt(5); i++) {
                entries.put("k" + random.nextInt(20), value(random));
            }
            if (random.nextBoolean()) {
                entries.put("deprecated.daemonset.template.generation", "1");
            }
        }
        metadata.withObjectProperty("labels").remove("deprecated.daemonset.template.generation");
        for (String list : new String[] {"ownerReferences", "managedFields"}) {
            ArrayNode elements = metadata.putArray(list);
            for (int i = 0; i <= random.nextInt(2); i++) {
                elements.add(shuffled(part(random), random));
            }
        }
        metadata.putArray("finalizers").add(value(random));
        return shuffled(metadata, random);
    }

    private static ObjectNode part(Random random) {
        ObjectNode part = GoJson.NODES.objectNode();
        for (String name : PARTS) {
            if (random.nextInt(3) > 0) {
                part.put(name, value(random));
            }
        }
        part.putNull("blockOwnerDeletion");
        part.putObject("fieldsV1").putObject("f:z").putObject("f:a");
        return part;
    }

    private static String value(Random random) {
        return new String[] {"a", "", "\u00fc\u2028", "{\"[<>&", "\\", "}],:"}
                        [1 + random.nextInt(5)]
                + "x";
    }

    private static ObjectNode shuffled(ObjectNode object, Random random) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        Collections.shuffle(names, random);
        ObjectNode shuffled = GoJson.NODES.objectNode();
        names.forEach(name -> shuffled.set(name, object.get(name)));
        return shuffled;
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
