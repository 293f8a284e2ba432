package io.tidemark.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.tidemark.local.FolderLock;
import io.tidemark.standalone.doctor.Finding.Level;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineCheckTest {
    @TempDir Path directory;

    @Test
    void warnsOfAServerThatTakesAllMemory() {
        long gibibyte = 1L << 30;

        assertThat(MachineCheck.memory(4 * gibibyte, gibibyte).toString())
                .contains("memory: 4.0 GiB, of which a server takes about 1.0 GiB");
        assertThat(MachineCheck.memory(4 * gibibyte, 4 * gibibyte).toString())
                .contains("give a smaller --memory");
    }

    @Test
    void acceptsTheJavaOfTheBuild() {
        assertThat(MachineCheck.java().level()).isEqualTo(Level.OK);
    }

    @Test
    void failsForAPortInUseAndNamesItsOption() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Finding finding = MachineCheck.port("--listen", "127.0.0.1", taken.getLocalPort());

            assertThat(finding.level()).isEqualTo(Level.FAIL);
            assertThat(finding.what())
                    .contains("--listen")
                    .contains(Integer.toString(taken.getLocalPort()));
        }
        assertThat(MachineCheck.port("--listen", "127.0.0.1", 0).level()).isEqualTo(Level.OK);
    }

    @Test
    void checksTheParentOfAMissingFolder() {
        Finding finding = MachineCheck.folder(directory.resolve("a/b"));

        assertThat(finding.what()).contains("GiB free");
        assertThat(directory.resolve("a")).doesNotExist();
    }

    @Test
    void failsForAFileInsteadOfAFolder() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(MachineCheck.folder(file.resolve("data")).level()).isEqualTo(Level.FAIL);
    }

    @Test
    void failsForAFolderOfAnotherUserAsTheNodeDoes() throws Exception {
        Path folder = Files.createDirectory(directory.resolve("foreign"));
        try {
            Files.setAttribute(folder, "unix:uid", 12_345);
        } catch (IOException e) {
            abort("needs root, who may give folders away: " + e);
        }

        Finding finding = MachineCheck.folder(folder);

        assertThat(finding.level()).isEqualTo(Level.FAIL);
        assertThat(finding.what()).contains("belongs to 12345");
        assertThat(finding.advice()).contains("owned by this user");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void failsForAFolderInUseAndNamesTheProcess() throws Exception {
        try (FolderLock _ = FolderLock.tryAcquire(directory).orElseThrow()) {
            Finding finding = MachineCheck.folder(directory);

            assertThat(finding.level()).isEqualTo(Level.FAIL);
            assertThat(finding.what()).contains("process " + ProcessHandle.current().pid());
        }
        assertThat(MachineCheck.folder(directory).what()).contains("GiB free");
    }
}
