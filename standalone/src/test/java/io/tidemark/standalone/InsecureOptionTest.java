package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.address.HostPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Listeners are open to other machines only with {@code --insecure}. */
class InsecureOptionTest {
    private static final String CONNECTOR = "connector --etcd http://a:1 --kafka b:2";
    private static final String NODE = "node --kafka b:2";

    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, String arguments) {
        return TidemarkCli.run(
                environment, new PrintWriter(err, true), arguments.strip().split(" +"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up --listen 0.0.0.0:8080                           | --listen 0.0.0.0:8080",
                "up --listen [::]:8080                              | --listen [::]:8080",
                "up --listen 192.0.2.7:8080                         | --listen 192.0.2.7:8080",
                "up --connector-listen 192.0.2.7:8090               | --connector-listen",
                "node --kafka b:2 --listen 0.0.0.0:0                | --listen 0.0.0.0:0",
                "node --kafka b:2 --peer-secret 0123456789abcdef --peer-listen 192.0.2.7:8180"
                        + " | --peer-listen 192.0.2.7:8180",
                "connector --etcd http://a:1 --kafka b:2 --listen 0.0.0.0:8090 | --listen",
                "broker --listen 0.0.0.0:9092 --advertise b:9092    | --listen 0.0.0.0:9092",
                "broker --listen 192.0.2.7:9092                     | --listen 192.0.2.7:9092",
            })
    void refusesOtherThanLoopback(String arguments, String option) {
        int code = run(Map.of(), arguments);

        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString())
                .contains(option.strip(), "no login", "127.0.0.1", "--insecure")
                .endsWith(" --help" + System.lineSeparator());
        assertThat(code).isEqualTo(2);
    }

    @Test
    void refusesAnAddressFromAVariable() {
        assertThat(run(Map.of("TIDEMARK_LISTEN", "0.0.0.0:8080"), NODE)).isEqualTo(2);
        assertThat(err.toString()).contains("--insecure");
        assertThat(run(Map.of("TIDEMARK_LISTEN", "0.0.0.0:8090"), CONNECTOR)).isEqualTo(2);
    }

    @Test
    void coversEveryListenOption() {
        Set<String> covered = Set.of("--listen", "--connector-listen", "--peer-listen");
        List<String> listening = new ArrayList<>();
        for (CommandLine command : TidemarkCli.commandLine().getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                if (option.type() == HostPort.class
                        && !option.longestName().endsWith("advertise")) {
                    listening.add(option.longestName());
                    assertThat(command.getCommandSpec().findOption("--insecure"))
                            .as(command.getCommandName())
                            .isNotNull();
                }
            }
        }
        assertThat(covered).containsAll(listening);
        assertThat(listening).hasSize(7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "127.8.9.1:1", "[::1]:1", "localhost:1"})
    void loopbackNeedsNoConsent(String address) {
        assertThat(HostPort.parse(address).isLoopback()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"0.0.0.0:1", "[::]:1", "10.0.0.1:1", "[fe80::1]:1", "nowhere.invalid:1"})
    void otherAddressesNeedConsent(String address) {
        assertThat(HostPort.parse(address).isLoopback()).isFalse();
    }

    @Test
    void acceptsOtherAddressesWithConsent() {
        UpCommand up = new UpCommand();
        new CommandLine(up)
                .parseArgs(
                        "--insecure", "--listen", "0.0.0.0:1", "--connector-listen", "10.0.0.1:1");
        up.check();
        assertThat(up.listen().isWildcard()).isTrue();
        assertThat(Arrays.asList(up.query().host())).containsExactly("0.0.0.0");
    }
}
