package io.tidemark.local.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaLoginsTest {
    private static final KafkaTls PLAIN = new KafkaTls.None();

    @TempDir Path folder;

    private KafkaLogins logins() throws IOException {
        return KafkaLogins.in(folder.resolve("clients"), PLAIN);
    }

    private Path file(KafkaUser user) {
        return KafkaLogins.file(folder.resolve("clients"), user);
    }

    @Test
    void makesPrivateFilesForAllClients() throws Exception {
        logins();
        for (KafkaUser user : KafkaUser.values()) {
            if (user == KafkaUser.BROKER) {
                assertThat(file(user)).doesNotExist();
                continue;
            }
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file(user))))
                    .isEqualTo("rw-------");
        }
        assertThat(Files.list(folder.resolve("clients"))).hasSize(3);
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve("clients"))))
                .isEqualTo("rwx------");
    }

    @Test
    void everyUserHasAnotherPassword() throws Exception {
        KafkaLogins logins = logins();
        Set<Object> passwords = new HashSet<>();
        for (KafkaUser user : KafkaUser.values()) {
            String jaas = (String) logins.clientSettings(user).get("sasl.jaas.config");
            assertThat(jaas).contains("username=\"" + user.login() + "\"");
            passwords.add(jaas.substring(jaas.indexOf("password=")));
        }
        assertThat(passwords).hasSize(4);
        assertThat(logins.toString()).doesNotContain("password");
    }

    @Test
    void theFileHoldsTheSettingsAndKeepsThem() throws Exception {
        KafkaLogins first = logins();
        KafkaLogins second = logins();
        for (KafkaUser user : Set.of(KafkaUser.ADMIN, KafkaUser.CONNECTOR, KafkaUser.NODE)) {
            Properties read = new Properties();
            read.load(Files.newBufferedReader(file(user)));
            assertThat(read).isEqualTo(first.clientSettings(user));
            assertThat(second.clientSettings(user)).isEqualTo(first.clientSettings(user));
        }
        assertThat(second.brokerJaas()).isNotEqualTo(first.brokerJaas());
    }

    @Test
    void aMissingFileGetsANewPasswordAndTheOthersKeepTheirs() throws Exception {
        KafkaLogins before = logins();
        Files.delete(file(KafkaUser.NODE));
        KafkaLogins after = logins();
        assertThat(after.clientSettings(KafkaUser.NODE))
                .isNotEqualTo(before.clientSettings(KafkaUser.NODE));
        assertThat(after.clientSettings(KafkaUser.CONNECTOR))
                .isEqualTo(before.clientSettings(KafkaUser.CONNECTOR));
    }

    @Test
    void theFilesFollowTheListenersTls() throws Exception {
        KafkaLogins before = logins();
        // A percent sign in a path is no format.
        Path authority = folder.resolve("ca%s.crt");
        KafkaTls tls = new KafkaTls.Server("chain", "key", Optional.of(authority));
        KafkaLogins.in(folder.resolve("clients"), tls);
        Properties read = new Properties();
        read.load(Files.newBufferedReader(file(KafkaUser.NODE)));
        assertThat(read)
                .containsEntry("security.protocol", "SASL_SSL")
                .containsEntry("ssl.truststore.location", authority.toString())
                .containsEntry(
                        "sasl.jaas.config",
                        before.clientSettings(KafkaUser.NODE).get("sasl.jaas.config"));
        assertThat(tls.toString()).doesNotContain("key");
    }

    @Test
    void refusesAFileThatOthersCanRead() throws Exception {
        logins();
        Files.setPosixFilePermissions(
                file(KafkaUser.NODE), PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(this::logins)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void refusesAFileWithoutAPassword() throws Exception {
        logins();
        for (String text : new String[] {"", "sasl.jaas.config=password=\"short\";", "\\u12"}) {
            Files.writeString(file(KafkaUser.NODE), text);
            assertThatThrownBy(this::logins)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("delete it to get a new one");
        }
    }
}
