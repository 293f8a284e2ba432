package io.tidemark.credentials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.credentials.CertificateAuthority.Use;
import io.tidemark.credentials.testing.TestCertificates;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsIdentityTest {
    @TempDir private Path folder;

    private Path write(String name, Object... objects) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            for (Object object : objects) {
                writer.writeObject(object);
            }
        }
        return writeText(name, text.toString());
    }

    private Path writeText(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** A file that OpenSSL wrote, readable by its owner only. */
    private Path openssl(String name) throws IOException {
        try (InputStream in = TlsIdentityTest.class.getResourceAsStream("/openssl/" + name)) {
            return writeText(name, new String(in.readAllBytes(), StandardCharsets.US_ASCII));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rsa-pkcs1.key, rsa.crt, BEGIN RSA PRIVATE KEY",
        "rsa-pkcs8.key, rsa.crt, BEGIN PRIVATE KEY",
        "ec-sec1.key, ec.crt, BEGIN EC PRIVATE KEY",
        "ec-pkcs8.key, ec.crt, BEGIN PRIVATE KEY",
        "ed25519-pkcs8.key, ed25519.crt, BEGIN PRIVATE KEY"
    })
    void readsEveryFormOfKey(String key, String certificate, String header) throws Exception {
        assertThat(Files.readString(openssl(key))).contains(header);
        TlsIdentity read = TlsIdentity.read(openssl(certificate), openssl(key));
        assertThat(read.toString()).contains("O=trial").doesNotContain("BEGIN");
        assertThat(TlsContexts.of(Optional.of(read), List.of())).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ec-encrypted.key", "ec-sec1-encrypted.key"})
    void refusesAnEncryptedKey(String key) throws Exception {
        assertThatThrownBy(() -> TlsIdentity.read(openssl("ec.crt"), openssl(key)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is encrypted; decrypt it");
    }

    @Test
    void readsAChainInItsOrder() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("ca", InstantSource.system());
        TlsIdentity server = authority.issue("CN=s", List.of("s"), Use.SERVER);
        X509Certificate own = server.certificate();
        X509Certificate issuer = authority.identity().certificate();
        Path key = folder.resolve("key");
        PemWriter.writeKey(key, server);

        assertThat(TlsIdentity.read(write("crt", own, issuer), key).chain())
                .containsExactly(own, issuer);
        assertThatThrownBy(() -> TlsIdentity.read(write("crt", issuer, own), key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("does not belong to the first certificate in");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no PEM at all",
                "-----BEGIN CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
                "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
                "-----BEGIN PRIVATE KEY-----\nMAA=\n-----END PRIVATE KEY-----\n",
                "-----BEGIN RSA PRIVATE KEY-----\nMAMCAQA=\n-----END RSA PRIVATE KEY-----\n"
            })
    void refusesOtherContent(String text) throws Exception {
        TestCertificates valid = new TestCertificates(folder);
        Path file = writeText("other", text);
        assertThatThrownBy(() -> TlsIdentity.read(file, valid.keyFile()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> TlsIdentity.read(valid.certificateFile(), file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString());
    }

    @Test
    void refusesAKeyThatOthersCanRead() throws Exception {
        TestCertificates files = new TestCertificates(folder);
        Files.setPosixFilePermissions(
                files.keyFile(), PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> TlsIdentity.read(files.certificateFile(), files.keyFile()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void namesTheFileThatIsMissing() throws Exception {
        TestCertificates files = new TestCertificates(folder);
        Path none = folder.resolve("none");
        assertThatThrownBy(() -> TlsIdentity.read(none, files.keyFile()))
                .isInstanceOf(IOException.class)
                .hasMessage("no such file: " + none);
    }
}
