package io.tidemark.query.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.record.Bytes;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServedApisTest {
    private static final List<Resource> ALL = BuiltInResources.all(Bytes.EMPTY);
    private static final List<Resource> BY_DEFAULT = BuiltInResources.under(Bytes.EMPTY);

    @Test
    void withoutEntriesServesTheDefault() {
        assertThat(served("")).isEqualTo(BY_DEFAULT);
        assertThat(ServedApis.parse(List.of())).isEqualTo(ServedApis.DEFAULT);
    }

    @Test
    void turnsOneVersionOn() {
        assertThat(names("coordination.k8s.io/v1beta1=true"))
                .contains("coordination.k8s.io/v1beta1/leasecandidates")
                .doesNotContain("coordination.k8s.io/v1alpha2/leasecandidates")
                .hasSize(BY_DEFAULT.size() + 1);
    }

    @Test
    void turnsOneResourceOn() {
        assertThat(names("resource.k8s.io/v1alpha3/devicetaintrules=true"))
                .contains("resource.k8s.io/v1alpha3/devicetaintrules")
                .doesNotContain("resource.k8s.io/v1alpha3/resourcepoolstatusrequests");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api/all=true", "api/beta=true,api/alpha=true", "api/beta,api/alpha"})
    void turnsEverythingOn(String entries) {
        assertThat(served(entries)).isEqualTo(ALL);
    }

    @Test
    void aStageHasAlphaOrBetaInItsName() {
        assertThat(names("api/beta=true"))
                .contains("resource.k8s.io/v1beta1/resourceclaims")
                .noneMatch(name -> name.contains("alpha"));
        assertThat(names("api/alpha=true"))
                .contains("scheduling.k8s.io/v1alpha2/workloads")
                .noneMatch(name -> name.contains("beta"));
    }

    /** In any order. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "api/all=false,v1=true,v1/nodes=false",
                "v1/nodes=false,v1=true,api/all=false",
                "v1=true,api/all=false,v1/nodes=false"
            })
    void theNarrowerEntryDecides(String entries) {
        assertThat(names(entries))
                .allMatch(name -> name.startsWith("v1/"))
                .contains("v1/pods")
                .doesNotContain("v1/nodes");
        assertThat(names("api/ga=false,api/all=true"))
                .isNotEmpty()
                .allMatch(name -> name.matches(".*/v[0-9]+(alpha|beta)[0-9]+/.*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "t", "T", "true", "True", "TRUE"})
    void readsTrueAsAnApiServerDoes(String value) {
        assertThat(served("api/all=" + value)).isEqualTo(ALL);
        assertThat(served(" api/all = " + value + " ")).isEqualTo(ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "f", "F", "false", "False", "FALSE"})
    void readsFalseAsAnApiServerDoes(String value) {
        assertThat(names("policy/v1=" + value))
                .doesNotContain("policy/v1/poddisruptionbudgets")
                .hasSize(BY_DEFAULT.size() - 1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "api/beta=yes            | 'yes' is neither true nor false, in 'api/beta=yes'",
                "api/beta=               | '' is neither true nor false",
                "api/beta=true=true      | 'true=true' is neither true nor false",
                "api/gamma=true          | there is no 'api/gamma', only api/all, api/alpha",
                "\"\"                    | there is no ''",
                "=true                   | there is no ''",
                "apps=true               | there is no 'apps'",
                "apps/v2=true            | admissionregistration.k8s.io/v1, ",
                "apps/v1/=true           | only apps/v1/controllerrevisions, apps/v1/daemonsets,",
                "apps/v1/pods=true       | only apps/v1/controllerrevisions, apps/v1/daemonsets,",
                "apps/v1/deployments/scale=true | there is no 'apps/v1/deployments/scale'",
                "v1/namespace=true       | only v1/configmaps,",
                "API/ALL=true            | there is no 'API/ALL'",
                "authorization.k8s.io/v1=true | there is no 'authorization.k8s.io/v1'",
                "example.com/v1=true     | there is no 'example.com/v1'",
                "v1=true,v1=true         | 'v1' is given twice",
                "api/all=true,api/all=false | 'api/all' is given twice",
                "api/all=false           | these entries turn every resource off"
            })
    void refusesOtherEntries(String entries, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(entries))
                .withMessageContaining(message);
    }

    @Test
    void refusesAnyOtherTextWithAShortMessage() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            String text =
                    random.ints(random.nextInt(2_000), 0, Character.MAX_VALUE)
                            .collect(
                                    StringBuilder::new,
                                    StringBuilder::appendCodePoint,
                                    StringBuilder::append)
                            .toString();
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServedApis.parse(List.of(text)))
                    .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(3_000));
        }
    }

    @Test
    void showsItsEntries() {
        assertThat(parse("v1=t,api/beta")).hasToString("api/beta=true,v1=true");
        assertThat(parse("v1=t,api/beta")).isEqualTo(parse("api/beta=1,v1"));
        assertThat(parse("v1,api/beta")).isNotEqualTo(parse("v1"));
    }

    private static ServedApis parse(String entries) {
        return ServedApis.parse(List.of(entries.split(",", -1)));
    }

    private static List<Resource> served(String entries) {
        ServedApis apis = entries.isEmpty() ? ServedApis.DEFAULT : parse(entries);
        return ALL.stream().filter(apis::contains).toList();
    }

    private static List<String> names(String entries) {
        return served(entries).stream()
                .map(resource -> resource.apiVersion() + "/" + resource.plural())
                .toList();
    }
}
