package io.tidemark.simulation.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.source.EtcdSource;
import io.tidemark.connector.upstream.TidemarkSource;
import io.tidemark.etcd.EtcdWatch;
import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.simulation.world.Settings;
import io.tidemark.waits.LongTest;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Tidemark keeps the contract of the etcd that it mirrors. */
@LongTest
final class TidemarkSourceIT extends SourceContract implements WritableEtcd {
    @TempDir private static Path folder;
    @AutoClose private static TestEtcd server;
    @AutoClose private static TidemarkProcess followed;

    private TcpProxy link;
    private TidemarkSource source;

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestEtcd(folder.resolve("etcd"));
        followed = TidemarkProcess.up(folder.resolve("followed"), server.endpoint());
    }

    @BeforeEach
    void connect() throws Exception {
        clear(Settings.PREFIX);
        link = new TcpProxy(followed.address(), TcpProxy.Tap.NONE);
        Security security = Security.ofRun();
        URI endpoint = URI.create("%s://127.0.0.1:%d/kv".formatted(security.scheme(), link.port()));
        source = new TidemarkSource(security.upstream(endpoint), Settings.PREFIX);
    }

    @AfterEach
    void disconnect() throws Exception {
        source.close();
        link.close();
    }

    /** Its history is what counts, not what etcd has left of it. */
    @Test
    void readsWhatEtcdHasCompacted() {
        long first = write(Map.of("/registry/a", "1"));
        long second = write(Map.of("/registry/a", "2"));
        source.newest();
        compact(second);

        assertThat(source.oldestRevision()).isLessThanOrEqualTo(first);
        assertThat(source.list(Settings.PREFIX, first, 10).keyValues())
                .extracting(keyValue -> keyValue.value().utf8())
                .containsExactly("1");
    }

    @Override
    EtcdUnderTest etcd() {
        return this;
    }

    @Override
    public EtcdSource source() {
        return source;
    }

    /** Unlike etcd it is asked for what follows a revision, and sends nothing else. */
    @Override
    public EtcdWatch watchFrom(long revision) {
        return source.watch(revision - 1);
    }

    @Override
    public TestEtcd server() {
        return server;
    }

    @Override
    public TcpProxy link() {
        return link;
    }
}
