package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.convert.VersionConverter;
import io.tidemark.kubernetes.schema.KindSchemas;
import io.tidemark.kubernetes.schema.KindSchemas.KindVersion;
import io.tidemark.kubernetes.schema.KindSchemas.Member;
import io.tidemark.kubernetes.schema.KindSchemas.Value;
import io.tidemark.record.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BuiltInResourcesTest {
    /** Kinds of the schema tables that no API server serves as a resource, with the reason. */
    private static final Map<KindVersion, String> NO_RESOURCE =
            Map.of(
                    new KindVersion("v1", "RangeAllocation"),
                    "the API server's record of the addresses and ports that it gave to services",
                    new KindVersion("autoscaling/v1", "Scale"),
                    "computed: a subresource of other kinds",
                    new KindVersion("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition"),
                    "only stored: no supported release serves this version");

    /** Versions that a release replaced by another one, which no API server converts to it. */
    private static final Set<KindVersion> NOT_CONVERTED =
            Set.of(
                    new KindVersion("certificates.k8s.io/v1alpha1", "PodCertificateRequest"),
                    new KindVersion("coordination.k8s.io/v1alpha1", "LeaseCandidate"),
                    new KindVersion("scheduling.k8s.io/v1alpha1", "Workload"),
                    new KindVersion("storagemigration.k8s.io/v1alpha1", "StorageVersionMigration"));

    private static final Bytes PREFIX = Bytes.utf8("/registry/");

    private final Catalog catalog = FixedCatalog.of(BuiltInResources.under(PREFIX));
    private final Catalog all = FixedCatalog.of(BuiltInResources.all(PREFIX));

    @Test
    void definesPods() {
        Resource pods = catalog.find("", "v1", "pods").orElseThrow();

        assertThat(pods.keyPrefix().utf8()).isEqualTo("/registry/pods/");
        assertThat(pods.kind()).isEqualTo("Pod");
        assertThat(pods.namespaced()).isTrue();
        assertThat(pods.shortNames()).containsExactly("po");
        assertThat(pods.categories()).containsExactly("all");
        assertThat(pods.selectableFields()).contains("spec.nodeName", "status.phase");
        assertThat(pods.columns().getFirst().name()).isEqualTo("Name");
    }

    @Test
    void keepsHistoricalDirectoryNames() {
        assertThat(prefixOf("", "v1", "nodes")).isEqualTo("/registry/minions/");
        assertThat(prefixOf("", "v1", "services")).isEqualTo("/registry/services/specs/");
        assertThat(prefixOf("", "v1", "endpoints")).isEqualTo("/registry/services/endpoints/");
        assertThat(prefixOf("networking.k8s.io", "v1", "ingresses"))
                .isEqualTo("/registry/ingress/");
        assertThat(prefixOf("apiregistration.k8s.io", "v1", "apiservices"))
                .isEqualTo("/registry/apiregistration.k8s.io/apiservices/");
        assertThat(prefixOf("apps", "v1", "deployments")).isEqualTo("/registry/deployments/");
        assertThat(prefixOf("events.k8s.io", "v1", "events")).isEqualTo("/registry/events/");
    }

    @Test
    void ordersVersionsByPreference() {
        List<String> versions =
                catalog.resources().stream()
                        .filter(resource -> resource.group().equals("autoscaling"))
                        .map(Resource::version)
                        .toList();

        assertThat(versions).containsExactly("v2", "v1");
    }

    @Test
    void definesEveryResourceCompletely() {
        assertThat(catalog.resources())
                .hasSizeGreaterThan(55)
                .allSatisfy(resource -> {
                    assertThat(resource.kind()).isNotEmpty();
                    assertThat(resource.singular()).isNotEmpty();
                    assertThat(resource.custom()).isFalse();
                    assertThat(resource.columns())
                            .allSatisfy(column -> {
                                assertThat(column.path()).isNotEmpty();
                                assertThat(column.type()).isNotEmpty();
                            });
                });
    }

    @Test
    void hasAResourceForEveryKindOfTheSchemas() {
        Set<KindVersion> kinds = new HashSet<>(KindSchemas.kinds());
        assertThat(kinds).containsAll(NO_RESOURCE.keySet());
        kinds.removeAll(NO_RESOURCE.keySet());

        assertThat(all.resources())
                .extracting(resource -> new KindVersion(resource.apiVersion(), resource.kind()))
                .containsExactlyInAnyOrderElementsOf(kinds);
    }

    @Test
    void servesGaVersionsByDefault() {
        assertThat(catalog.resources())
                .isSubsetOf(all.resources())
                .allSatisfy(resource -> assertThat(resource.version()).matches("v[0-9]+"));
        assertThat(all.resources())
                .filteredOn(resource -> !catalog.resources().contains(resource))
                .hasSizeGreaterThan(30)
                .allSatisfy(resource ->
                        assertThat(resource.version()).matches("v[0-9]+(alpha|beta)[0-9]+"));
    }

    @Test
    void sharesAnEntryBetweenVersions() {
        Resource claims = all.find("resource.k8s.io", "v1beta1", "resourceclaims").orElseThrow();
        Resource ga = all.find("resource.k8s.io", "v1", "resourceclaims").orElseThrow();

        assertThat(claims.keyPrefix()).isEqualTo(ga.keyPrefix());
        assertThat(claims.columns()).isEqualTo(ga.columns());
        assertThat(claims.subresources()).isEqualTo(ga.subresources());
        assertThat(claims.conversion()).isEqualTo(ga.conversion());
        assertThat(claims.conversion().storedApiVersion()).isEqualTo("resource.k8s.io/v1");
        assertThat(claims.warning())
                .isEqualTo(
                        "resource.k8s.io/v1beta1 ResourceClaim is deprecated in v1.35+, unavailable"
                                + " in v1.38+");
        assertThat(ga.warning()).isEmpty();
    }

    /** Where writing another apiVersion is the whole conversion, both versions have one form. */
    @Test
    void versionsThatDifferInMoreThanTheirNameAreConverted() {
        VersionConverter converter = new VersionConverter();
        for (Resource resource : all.resources()) {
            for (KindVersion stored : KindSchemas.kinds()) {
                boolean sameKind =
                        stored.kind().equals(resource.kind())
                                && groupOf(stored.apiVersion()).equals(resource.group());
                if (!sameKind || stored.apiVersion().equals("autoscaling/v1")) {
                    continue; // Autoscalers have not been stored in v1 since 1.25.
                }
                KindVersion served = new KindVersion(resource.apiVersion(), resource.kind());
                boolean replaced = NOT_CONVERTED.contains(stored) || NOT_CONVERTED.contains(served);
                if (replaced && !stored.equals(served)) {
                    assertThat(
                                    resource.conversion().byName()
                                            || converter.canConvert(
                                                    stored.kind(),
                                                    stored.apiVersion(),
                                                    resource.apiVersion()))
                            .as("%s in %s", stored, resource.apiVersion())
                            .isFalse();
                } else if (resource.conversion().byName()) {
                    assertThat(form(resource.apiVersion(), resource.kind()))
                            .as("%s in %s", stored, resource.apiVersion())
                            .isEqualTo(form(stored.apiVersion(), stored.kind()));
                } else {
                    assertThat(
                                    converter.canConvert(
                                            stored.kind(),
                                            stored.apiVersion(),
                                            resource.apiVersion()))
                            .as("%s in %s", stored, resource.apiVersion())
                            .isTrue();
                }
            }
        }
    }

    private static String groupOf(String apiVersion) {
        return apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "";
    }

    /** All members of a kind by their paths; a type inside itself is not entered again. */
    private static Set<String> form(String apiVersion, String kind) {
        Set<String> paths = new TreeSet<>();
        addForm(KindSchemas.typeOf(apiVersion, kind).orElseThrow(), "", List.of(), paths);
        return paths;
    }

    private static void addForm(String type, String path, List<String> within, Set<String> paths) {
        if (within.contains(type)) {
            return;
        }
        List<String> inner = new ArrayList<>(within);
        inner.add(type);
        for (Member member : KindSchemas.members(type)) {
            String at = path + "." + member.name() + " " + member.count();
            if (member.value() instanceof Value.Message(String message)) {
                paths.add(at);
                addForm(message, at, inner, paths);
            } else {
                paths.add(at + " " + member.value());
            }
        }
    }

    private String prefixOf(String group, String version, String plural) {
        return catalog.find(group, version, plural).orElseThrow().keyPrefix().utf8();
    }
}
