package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.credentials.MutualTls;
import io.tidemark.credentials.ServerTls;
import io.tidemark.credentials.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class CertsCommandTest {
    @TempDir Path parent;

    @Test
    void makesAServerThatIsAMember() throws Exception {
        assertThat(run("--host", "node-1,10.0.0.7"))
                .containsExactly(file("node-1.crt"), file("node-1.key"), file("ca.crt"));
        MutualTls group = new MutualTls(path("node-1.crt"), path("node-1.key"), path("ca.crt"));
        assertThat(group.connecting()).isNotNull();
        X509Certificate made = certificate("node-1.crt");
        assertThat(made.getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactlyInAnyOrder("node-1", "10.0.0.7");
        assertThat(made.getExtendedKeyUsage()).hasSize(2);
        made.verify(certificate("ca.crt").getPublicKey());
    }

    @Test
    void makesAServerOfThisMachineByDefault() throws Exception {
        run();
        assertThat(certificate("localhost.crt").getSubjectAlternativeNames()).hasSize(3);
    }

    @Test
    void makesAUserOfAnotherAuthority() throws Exception {
        run("--host", "node-1");
        run("--user", "jane@example", "--user-group", "developers,on call");
        X509Certificate made = certificate("jane@example.crt");
        assertThat(made.getSubjectX500Principal().getName())
                .isEqualTo("CN=jane@example,O=on call,O=developers");
        assertThat(made.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        made.verify(certificate("client-ca.crt").getPublicKey());
        assertThat(certificate("client-ca.crt")).isNotEqualTo(certificate("ca.crt"));
        assertThat(
                        new ServerTls(
                                        path("node-1.crt"),
                                        path("node-1.key"),
                                        Optional.of(path("client-ca.crt")))
                                .asksClients())
                .isTrue();
    }

    /** Permissions follow from a user's groups, so none comes from the nodes' settings. */
    @Test
    void ignoresTheConsumerGroupOfASharedConfiguration() throws Exception {
        for (String options : List.of("--host node-1", "--user jane")) {
            StringWriter err = new StringWriter();
            int code =
                    TidemarkCli.run(
                            Map.of("TIDEMARK_GROUP", "prod"),
                            new PrintWriter(err),
                            ("certs --out " + folder() + " " + options).split(" "));
            assertThat(code).as(err.toString()).isZero();
        }
        assertThat(certificate("jane.crt").getSubjectX500Principal().getName())
                .isEqualTo("CN=jane");
    }

    @Test
    void keepsItsAuthorities() throws Exception {
        run("--host", "node-1");
        X509Certificate authority = certificate("ca.crt");
        X509Certificate first = certificate("node-1.crt");
        run("--host", "node-1");
        assertThat(certificate("ca.crt")).isEqualTo(authority);
        assertThat(certificate("node-1.crt")).isNotEqualTo(first);
        certificate("node-1.crt").verify(authority.getPublicKey());
    }

    @Test
    void makesAPrivateFolderWithPrivateKeys() throws Exception {
        run("--host", "node-1");
        assertThat(permissions(folder())).isEqualTo("rwx------");
        for (String key : List.of("ca.key", "node-1.key")) {
            assertThat(permissions(path(key))).as(key).isEqualTo("rw-------");
        }
    }

    /** It may be a folder that others have to read, such as the working directory. */
    @Test
    void keepsThePermissionsOfAFolderThatExists() throws Exception {
        Files.createDirectory(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        run("--host", "node-1", "--user", "jane");
        assertThat(permissions(folder())).isEqualTo("rwxr-xr-x");
        for (String key : List.of("ca.key", "node-1.key", "client-ca.key", "jane.key")) {
            assertThat(permissions(path(key))).as(key).isEqualTo("rw-------");
        }
    }

    private static String permissions(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--user ../jane",
                "--user ca",
                "--user client-ca",
                "--host a/b",
                "--host ::1",
                "--host node-1,999.1.1.1",
                "--user-group developers"
            })
    void refusesWhatCannotBeMade(String options) {
        StringWriter err = new StringWriter();
        int code =
                TidemarkCli.run(
                        Map.of(),
                        new PrintWriter(err),
                        ("certs --out " + folder() + " " + options).split(" "));
        assertThat(code).as(err.toString()).isEqualTo(2);
        assertThat(path("ca.crt").resolveSibling("node-1.crt")).doesNotExist();
    }

    private List<String> run(String... options) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CommandLine command =
                new CommandLine(
                        new CertsCommand(new PrintStream(out, true, StandardCharsets.UTF_8)));
        String[] all = new String[options.length + 2];
        all[0] = "--out";
        all[1] = folder().toString();
        System.arraycopy(options, 0, all, 2, options.length);
        assertThat(command.execute(all)).isZero();
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private Path folder() {
        return parent.resolve("certs");
    }

    private Path path(String name) {
        return folder().resolve(name);
    }

    private String file(String name) {
        return path(name).toString();
    }

    private X509Certificate certificate(String name) throws Exception {
        return TlsIdentity.readAuthorities(path(name)).getFirst();
    }
}
