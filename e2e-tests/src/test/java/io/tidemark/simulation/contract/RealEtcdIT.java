package io.tidemark.simulation.contract;

import io.tidemark.connector.source.EtcdClientSource;
import io.tidemark.connector.source.EtcdSource;
import io.tidemark.etcd.connection.EtcdOptions;
import io.tidemark.harness.TestEtcd;
import io.tidemark.http.testing.TcpProxy;
import io.tidemark.simulation.world.Settings;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd keeps the contract, so it asks no more than etcd promises. */
final class RealEtcdIT extends EtcdContract implements WritableEtcd {
    @TempDir private static Path folder;
    @AutoClose private static TestEtcd server;

    private TcpProxy link;
    private EtcdClientSource source;

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestEtcd(folder);
    }

    @BeforeEach
    void connect() throws Exception {
        clear(Settings.PREFIX);
        URI endpoint = URI.create(server.endpoint());
        link =
                new TcpProxy(
                        new InetSocketAddress(endpoint.getHost(), endpoint.getPort()),
                        TcpProxy.Tap.NONE);
        source =
                new EtcdClientSource(
                        EtcdOptions.of("http://127.0.0.1:" + link.port()), Settings.PREFIX);
    }

    @AfterEach
    void disconnect() throws Exception {
        source.close();
        link.close();
    }

    @Override
    EtcdUnderTest etcd() {
        return this;
    }

    @Override
    public EtcdSource source() {
        return source;
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
