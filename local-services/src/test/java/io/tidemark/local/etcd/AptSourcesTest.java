package io.tidemark.local.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AptSourcesTest {
    @TempDir Path apt;

    @Test
    void readsMirrorsOfSourcesFilesWithoutSecurityArchives() throws Exception {
        write(
                "sources.list.d/debian.sources",
                """
                Types: deb
                # a comment
                URIs: http://mirror.example/debian
                Suites: bookworm bookworm-updates
                Components: main contrib
                Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

                Types: deb
                URIs: http://mirror.example/debian-security
                Suites: bookworm-security
                Components: main
                """);

        assertThat(mirrors()).containsExactly("http://mirror.example/debian");
    }

    @Test
    void readsMirrorsOfListFilesWithoutThirdPartyArchives() throws Exception {
        write(
                "sources.list",
                """
                # deb http://old.example/debian bookworm main
                deb [arch=amd64 signed-by=/k.gpg] https://one.example/debian bookworm main non-free
                deb-src https://one.example/debian bookworm main
                deb https://one.example/debian bookworm-updates main
                """);
        write(
                "sources.list.d/vendor.list",
                "deb https://vendor.example/apt vendor-bookworm main\n");

        assertThat(mirrors()).containsExactly("https://one.example/debian");
    }

    @Test
    void ignoresDisabledSources() throws Exception {
        write(
                "sources.list.d/off.sources",
                """
                Enabled: no
                Types: deb
                URIs: http://mirror.example/debian
                Suites: bookworm
                Components: main
                """);

        assertThat(mirrors()).isEmpty();
    }

    @Test
    void hasNoMirrorsWithoutApt() throws Exception {
        assertThat(AptSources.read(apt.resolve("missing")).debianMirrors("bookworm")).isEmpty();
    }

    private java.util.List<String> mirrors() throws Exception {
        return AptSources.read(apt).debianMirrors("bookworm");
    }

    private void write(String name, String text) throws Exception {
        Path file = apt.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
