package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.address.HostPort;
import io.tidemark.credentials.testing.TestCertificates;
import io.tidemark.standalone.up.UpCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Listeners are open to other machines only with TLS, a login and rights, or {@code --insecure}.
 */
class StartupRuleTest {
    private static final String CONNECTOR = "connector --etcd http://a:1 --kafka b:2";
    private static final String NODE = "node --kafka b:2";

    @TempDir Path folder;
    private final StringWriter err = new StringWriter();

    private int run(Map<String, String> environment, String arguments) {
        return TidemarkCli.run(
                environment, new PrintWriter(err, true), arguments.strip().split(" +"));
    }

    /** Each ends with exit code 2 and one line that names what is missing, and nothing else. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up --listen 0.0.0.0:80                                     | --listen |"
                        + " TLS,login,rights",
                "up --listen [::]:80                                        | --listen |"
                        + " TLS,login,rights",
                "up --listen 192.0.2.7:80                                   | --listen |"
                        + " TLS,login,rights",
                "up --listen 0.0.0.0:80 TLS                                 | --listen |"
                        + " login,rights",
                "up --listen 0.0.0.0:80 TLS TOKENS                          | --listen | rights",
                "up --listen 0.0.0.0:80 TLS CA                              | --listen | rights",
                "up --listen 0.0.0.0:80 TLS TOKENS --authorization none     | --listen | rights",
                "up --listen 0.0.0.0:80 TOKENS --authorization rbac         | --listen | TLS",
                "up --listen 0.0.0.0:80 TOKENS POLICY                       | --listen | TLS",
                "up --listen 0.0.0.0:80 ORIGIN --authorization origin       | --listen | TLS",
                "up --listen 0.0.0.0:80 TLS ORIGIN                          | --listen | rights",
                "up --listen 0.0.0.0:80 TLS --anonymous-auth POLICY         | --listen | login",
                "up --listen 0.0.0.0:80 --anonymous-auth                    | --listen |"
                        + " TLS,login,rights",
                "up --connector-listen 192.0.2.7:80                         | --connector-listen |"
                        + " login",
                "up --connector-listen 192.0.2.7:80 TLS TOKENS POLICY       | --connector-listen |"
                        + " login",
                "up --include-secrets                                       | --include-secrets |"
                        + " rights",
                "up --include-secrets TLS TOKENS                            | --include-secrets |"
                        + " rights",
                "node --kafka b:2 SECRET --listen 0.0.0.0:80                | --listen |"
                        + " TLS,login,rights",
                "node --kafka b:2 SECRET --listen 0.0.0.0:80 TLS CA         | --listen | rights",
                "node --kafka b:2 SECRET --listen 0.0.0.0:80 TOKENS POLICY  | --listen | TLS",
                "node --kafka b:2 SECRET --include-secrets                  | --include-secrets |"
                        + " rights",
                "node --kafka b:2 SECRET --peer-listen 192.0.2.7:81         | --peer-listen |"
                        + " peer-tls",
                "node --kafka b:2 SECRET --peer-listen 192.0.2.7:81 TLS TOKENS POLICY |"
                        + " --peer-listen | peer-tls",
                "connector --etcd http://a:1 --kafka b:2 SECRET --listen 0.0.0.0:80   | --listen |"
                        + " peer-tls",
                "connector --etcd http://a:1 --kafka b:2 SECRET --listen [::]:80      | --listen |"
                        + " peer-tls",
                "up --listen 0.0.0.0:80 --tls self-signed --data FOLDER     | --listen |"
                        + " login,rights",
                "up --listen 0.0.0.0:80 --tls self-signed --data FOLDER TOKENS | --listen | rights",
                "up --listen 0.0.0.0:80 TOKENS                              | --listen |"
                        + " TLS,rights",
                "up --listen 0.0.0.0:80 TLS --anonymous-auth                | --listen |"
                        + " login,rights",
                "node --kafka b:2 SECRET --listen 0.0.0.0:80 --anonymous-auth  | --listen |"
                        + " TLS,login,rights",
                "node --kafka b:2 SECRET --listen 0.0.0.0:80 TLS --anonymous-auth POLICY |"
                        + " --listen | login",
                "node --kafka b:2 SECRET --include-secrets TLS CA           | --include-secrets |"
                        + " rights",
                "node --kafka b:2 SECRET --peer-listen 0.0.0.0:81           | --peer-listen |"
                        + " peer-tls",
                "broker --listen 0.0.0.0:92 --advertise b:92                | --listen | TLS",
                "broker --listen 192.0.2.7:92                               | --listen | TLS",
            })
    void refusesWhatLacksProtection(String arguments, String option, String missing)
            throws Exception {
        int code = run(Map.of(), filled(arguments));

        String text = err.toString();
        assertThat(code).as(text).isEqualTo(2);
        assertThat(text.lines()).hasSize(1);
        assertThat(text).contains(option, "--insecure");
        List<String> named = List.of(missing.split(","));
        assertThat(text.contains("--tls-cert")).as(text).isEqualTo(named.contains("TLS"));
        assertThat(text.contains("a login")).as(text).isEqualTo(named.contains("login"));
        assertThat(text.contains("--authorization rbac"))
                .as(text)
                .isEqualTo(named.contains("rights"));
        assertThat(text.contains("--peer-tls-cert")).isEqualTo(named.contains("peer-tls"));
    }

    /** Credentials on a wire that is not encrypted, and halves of a protection. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up --etcd http://a:1 --etcd-user u --etcd-password p | https",
                "connector --etcd http://a:1 --etcd-user u --etcd-password p --kafka b:2 SECRET |"
                        + " https",
                "connector --etcd https://a:1,http://b:1 --etcd-user u --etcd-password p --kafka"
                        + " b:2 SECRET | https",
                "up --origin http://o:1 --origin-token-file FOLDER/tokens | https",
                "up TOKENS --authorization policy | --policy FILE",
                "node --kafka b:2 SECRET TOKENS --authorization policy | --policy FILE",
                "node --kafka b:2 SECRET --authorization rbac | needs a login",
                "node --kafka b:2 | --peer-secret-file",
                "connector --etcd http://a:1 --kafka b:2 | --peer-secret-file",
                "node --kafka b:2 SECRET --peer-tls-cert FOLDER/a.crt | --peer-tls-key FILE",
                "connector --etcd http://a:1 --kafka b:2 SECRET --peer-ca FOLDER/ca.crt |"
                        + " --peer-tls-cert FILE",
                "broker --tls-cert FOLDER/a.crt --data FOLDER | --tls-key FILE",
            })
    void refusesCredentialsInTheClearAndHalfAProtection(String arguments, String named)
            throws Exception {
        secret("tokens", "a-token,jane,7\n");
        assertThat(run(Map.of(), filled(arguments))).as(err.toString()).isEqualTo(2);
        assertThat(err.toString()).contains(named);
        assertThat(err.toString().lines()).hasSize(1);
    }

    /** Contradictions and gaps among the options of login and rights. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--authorization rbac                      | needs a login",
                "--authorization policy                    | --policy FILE",
                "TOKENS --authorization everything         | must be none",
                "POLICY                                    | needs a login",
                "TOKENS --policy FOLDER/none               | --authorization policy",
                "TOKENS --authorization policy --policy FOLDER/none | FOLDER/none",
                "--token-file FOLDER/none                  | FOLDER/none",
                "--oidc FOLDER/none                        | FOLDER/none",
                "--origin https://o:1                      | --origin-token-file",
                "--origin-token-file FOLDER/tokens         | --origin URL",
                "--origin http://o:1 --origin-token-file FOLDER/tokens | https://HOST:PORT",
                "TOKENS --authorization origin             | --origin URL",
                "--authorization origin --origin https://o:1 | --origin-token-file",
                "POLICY ORIGIN --authorization origin      | should be specified only once",
                "--client-ca FOLDER/ca.crt                 | --tls-cert",
                "TOKENS --authorization rbac --prefix /registry/pods/ | --kubernetes-root",
                "TOKENS --authorization rbac --authz-max-age 0s | --authz-max-age",
                "--audit-policy FOLDER/none                | --audit-log",
                "--audit-log FOLDER/audit --audit-policy FOLDER/none | FOLDER/none",
            })
    void refusesOptionsThatContradict(String arguments, String named) throws Exception {
        int code = run(Map.of(), "up " + filled(arguments));

        assertThat(code).as(err.toString()).isEqualTo(2);
        assertThat(err.toString()).contains(filled(named));
        assertThat(err.toString().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--listen 0.0.0.0:80 TLS TOKENS POLICY",
                "--listen 0.0.0.0:80 TLS CA --authorization rbac",
                "--listen 0.0.0.0:80 --tls self-signed --data FOLDER TOKENS POLICY",
                "--listen 0.0.0.0:80 TLS CA TOKENS --authorization rbac --anonymous-auth",
                "--listen 0.0.0.0:80 TLS ORIGIN --authorization origin",
                "--listen 0.0.0.0:80 TLS CA ORIGIN --authorization origin",
                "--listen 0.0.0.0:80 TLS ORIGIN POLICY",
                "--listen 127.0.0.1:80 --include-secrets TOKENS POLICY",
                "--listen 127.0.0.1:80 --include-secrets ORIGIN --authorization origin",
                "--listen 127.0.0.1:80 --include-secrets --insecure",
                "--listen 127.0.0.1:80",
                "--listen 0.0.0.0:80 --insecure"
            })
    void acceptsWhatIsProtected(String arguments) throws Exception {
        UpCommand up = new UpCommand();
        new CommandLine(up).parseArgs(filled(arguments).split(" +"));
        up.check();
    }

    /** Replaces words in capitals by options with files. */
    private String filled(String arguments) throws Exception {
        TestCertificates made = new TestCertificates(Files.createTempDirectory(folder, "tls"));
        Path tokens = secret("tokens", "a-token,jane,7\n");
        Path policy = secret("policy", "# no rights\n");
        Path own = secret("own", "own-token\n");
        return arguments
                .strip()
                .replace(
                        "TLS",
                        "--tls-cert " + made.certificateFile() + " --tls-key " + made.keyFile())
                .replace("TOKENS", "--token-file " + tokens)
                .replace("POLICY", "--authorization policy --policy " + policy)
                .replace("ORIGIN", "--origin https://o:1 --origin-token-file " + own)
                .replace("CA", "--client-ca " + made.authorityFile())
                .replace("SECRET", "--peer-secret 0123456789abcdef")
                .replace("FOLDER", folder.toString());
    }

    private Path secret(String name, String text) throws Exception {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
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
