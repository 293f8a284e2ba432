package io.tidemark.etcd.connection;

import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Creates the gRPC channels that {@link EtcdOptions} describe. */
final class Channels {
    private static final int DEFAULT_PORT = 2379;

    /** A dead connection is detected after the sum of both. etcd allows a ping every 5 s. */
    private static final long KEEP_ALIVE_SECONDS = 10;

    private static final long KEEP_ALIVE_TIMEOUT_SECONDS = 5;

    /**
     * It logs each frame that still arrives after a call has ended, such as the rest of a message
     * that was too large. A field, since Java forgets the level of a logger without a reference.
     */
    private static final Logger FRAMES = Logger.getLogger("io.grpc.internal.AbstractClientStream");

    static {
        FRAMES.setLevel(Level.WARNING);
    }

    private Channels() {}

    /**
     * @throws IllegalArgumentException when a certificate or key cannot be used
     */
    static List<Endpoint> endpoints(EtcdOptions options) {
        boolean anyTls =
                options.endpoints().stream().anyMatch(uri -> "https".equals(uri.getScheme()));
        TlsFiles tls = anyTls ? new TlsFiles(options) : null;
        SslContext context = tls == null ? null : tls.context();
        Runnable refresh = tls == null ? () -> {} : tls::refresh;
        return options.endpoints().stream()
                .map(uri -> new Endpoint(uri, () -> channel(uri, options, context), refresh))
                .toList();
    }

    private static ManagedChannel channel(URI uri, EtcdOptions options, @Nullable SslContext tls) {
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        String host = uri.getHost();
        boolean bracketed = host.startsWith("[");
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(
                                bracketed ? host.substring(1, host.length() - 1) : host, port)
                        .withOption(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.toIntExact(options.connectTimeout().toMillis()))
                        .maxInboundMessageSize(options.maxInboundMessageBytes())
                        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(KEEP_ALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                        .userAgent("tidemark");
        if (tls != null && "https".equals(uri.getScheme())) {
            return builder.sslContext(tls).build();
        }
        return builder.usePlaintext().build();
    }
}
