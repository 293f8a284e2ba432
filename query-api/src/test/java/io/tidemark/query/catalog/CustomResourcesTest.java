package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.query.catalog.Resource.Column;
import io.tidemark.query.catalog.Resource.Conversion;
import io.tidemark.record.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CustomResourcesTest {
    private static final Bytes PREFIX = Bytes.utf8("/registry/");
    private static final String WIDGETS =
            """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"widgets.example.com"},
             "spec":{"group":"example.com","scope":"Namespaced",
              "names":{"plural":"widgets","singular":"widget","kind":"Widget",
                       "shortNames":["wid"],"categories":["all"]},
              "versions":[
               {"name":"v1","served":true,"storage":true,
                "selectableFields":[{"jsonPath":".spec.tier"}],
                "additionalPrinterColumns":[
                 {"name":"Size","type":"integer","jsonPath":".spec.size"},
                 {"name":"Tier","type":"string","jsonPath":".spec.tier","priority":1,
                  "description":"How good it is"}]},
               {"name":"v1beta1","served":true,"storage":false},
               {"name":"v1alpha1","served":false,"storage":false}]}}
            """;

    @Test
    void derivesOneResourcePerServedVersion() {
        List<Resource> resources = of(WIDGETS);

        assertThat(resources).extracting(Resource::version).containsExactly("v1", "v1beta1");
        Resource v1 = resources.getFirst();
        assertThat(v1.keyPrefix().utf8()).isEqualTo("/registry/example.com/widgets/");
        assertThat(v1.custom()).isTrue();
        assertThat(v1.namespaced()).isTrue();
        assertThat(v1.shortNames()).containsExactly("wid");
        assertThat(v1.selectableFields()).containsExactly("spec.tier");
        assertThat(v1.conversion()).isEqualTo(new Conversion("example.com/v1", true));
        assertThat(v1.columns()).extracting(Column::name).containsExactly("Name", "Size", "Tier");
        assertThat(v1.columns().get(1).description())
                .isEqualTo("Custom resource definition column (in JSONPath format): .spec.size");
        assertThat(v1.columns().get(2).description()).isEqualTo("How good it is");
    }

    @Test
    void showsTheAgeWithoutDeclaredColumns() {
        assertThat(of(WIDGETS).get(1).columns())
                .extracting(Column::name)
                .containsExactly("Name", "Age");
    }

    @Test
    void readsV1beta1DefinitionsWithCommonSettings() {
        List<Resource> resources =
                of(
                        """
                        {"metadata":{"name":"things.example.com"},
                         "spec":{"group":"example.com","version":"v1","scope":"Cluster",
                          "names":{"plural":"things","kind":"Thing"},
                          "additionalPrinterColumns":[
                           {"name":"Size","type":"integer","JSONPath":".spec.size"}],
                          "conversion":{"strategy":"Webhook"}}}
                        """);

        assertThat(resources).hasSize(1);
        assertThat(resources.getFirst().namespaced()).isFalse();
        assertThat(resources.getFirst().singular()).isEqualTo("thing");
        assertThat(resources.getFirst().columns().get(1).path()).isEqualTo(".spec.size");
        assertThat(resources.getFirst().conversion().byName()).isFalse();
    }

    @Test
    void rejectsDefinitionsInBuiltInGroupsOrDirectories() {
        assertThat(of(WIDGETS.replace("example.com", "apps"))).isEmpty();
        assertThat(of(WIDGETS.replace("example.com", "pods"))).isEmpty();
        assertThat(of(WIDGETS.replace("example.com", "networking.k8s.io"))).isEmpty();
        assertThat(of(WIDGETS.replace("example.com", ""))).isEmpty();
        assertThat(of(WIDGETS.replace("example.com", "a/../b.c"))).isEmpty();
        assertThat(of(WIDGETS.replace("\"widgets\"", "\"other\""))).isEmpty();
    }

    @Test
    void namesListsAsDeclared() {
        assertThat(of(WIDGETS).getFirst().listKind()).isEqualTo("WidgetList");
        String declared = "\"kind\":\"Widget\",\"listKind\":";
        assertThat(of(WIDGETS.replace("\"kind\":\"Widget\"", declared + "\"Widgets\"")))
                .extracting(Resource::listKind)
                .containsExactly("Widgets", "Widgets");
        assertThat(of(WIDGETS.replace("\"kind\":\"Widget\"", declared + "\"no kind\"")))
                .extracting(Resource::listKind)
                .containsExactly("WidgetList", "WidgetList");
    }

    /** Names that conflict with another definition's stay requested only. */
    @Test
    void servesTheAcceptedNames() {
        Resource resource =
                of(withStatus(
                                """
                                "acceptedNames":{"plural":"widgets","singular":"old",
                                  "kind":"Old","listKind":"Olds","shortNames":["o"]}
                                """))
                        .getFirst();

        assertThat(resource.kind()).isEqualTo("Old");
        assertThat(resource.listKind()).isEqualTo("Olds");
        assertThat(resource.singular()).isEqualTo("old");
        assertThat(resource.shortNames()).containsExactly("o");
        assertThat(resource.categories()).isEmpty();
    }

    @Test
    void servesTheRequestedNamesBeforeAnyAreAccepted() {
        Resource resource =
                of(withStatus("\"acceptedNames\":{\"plural\":\"\",\"kind\":\"\"}")).getFirst();

        assertThat(resource.kind()).isEqualTo("Widget");
        assertThat(resource.shortNames()).containsExactly("wid");
    }

    @Test
    void skipsDefinitionsThatAreNotEstablished() {
        String refused =
                withStatus("\"conditions\":[{\"type\":\"Established\",\"status\":\"False\"}]");

        assertThat(of(refused)).isEmpty();
        assertThat(of(refused.replace("False", "True"))).hasSize(2);
    }

    /** The best served one that comes before it, if the definition has no text. */
    @Test
    void warnsOfADeprecatedVersionWithTheOneToUse() {
        String deprecated = WIDGETS.replace("\"v1beta1\",", "\"v1beta1\",\"deprecated\":true,");
        assertThat(of(deprecated))
                .extracting(Resource::warning)
                .containsExactly(
                        "", "example.com/v1beta1 Widget is deprecated; use example.com/v1 Widget");
        assertThat(of(deprecated.replace("\"v1\"", "\"v1alpha2\"")))
                .extracting(Resource::warning)
                .containsExactly("", "example.com/v1beta1 Widget is deprecated");
    }

    @Test
    void neverThrowsForRandomBytes() {
        long seed = Long.getLong("tidemark.seed", 1);
        SplittableRandom random = new SplittableRandom(seed);
        byte[] good = WIDGETS.getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = good.clone();
            for (int i = random.nextInt(1, 20); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] =
                        random.nextBoolean()
                                ? (byte) "{}[]\":,0123truefalsenull".charAt(random.nextInt(24))
                                : (byte) random.nextInt();
            }
            assertThat(CustomResources.of(bytes, PREFIX)).as("seed %d", seed).hasSizeLessThan(4);
        }
        assertThat(of("[".repeat(100_000))).isEmpty();
        assertThat(of("{\"a\":".repeat(100_000))).isEmpty();
        assertThat(of("")).isEmpty();
        assertThat(of("null")).isEmpty();
        assertThat(of("{\"spec\":{\"versions\":17,\"names\":[],\"group\":{}}}")).isEmpty();
    }

    @Test
    void boundsTheNumberOfEntries() {
        String version = "{\"name\":\"v%d\",\"served\":true,\"storage\":false}";
        StringBuilder versions = new StringBuilder(version.formatted(1));
        for (int i = 2; i < 500; i++) {
            versions.append(',').append(version.formatted(i));
        }
        int from = WIDGETS.indexOf("\"versions\":[") + "\"versions\":[".length();
        String many = WIDGETS.substring(0, from) + versions + "]}}";

        assertThat(of(many)).hasSize(CustomResources.MAX_ENTRIES);
    }

    private static String withStatus(String members) {
        String open = WIDGETS.strip().substring(0, WIDGETS.strip().length() - 1);
        return open + ",\"status\":{" + members + "}}";
    }

    private static List<Resource> of(String definition) {
        return CustomResources.of(definition.getBytes(StandardCharsets.UTF_8), PREFIX);
    }
}
