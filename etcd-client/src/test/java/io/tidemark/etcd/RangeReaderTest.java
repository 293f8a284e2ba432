package io.tidemark.etcd;

import static io.tidemark.etcd.EtcdClientIT.assertKind;
import static io.tidemark.etcd.TestEtcd.utf8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.tidemark.etcd.connection.EtcdException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RangeReaderTest {
    private static final RangeRequest ALL =
            RangeRequest.range(utf8("/k/"), RangeRequest.NO_END).at(RangeServer.REVISION);

    private final List<String> read = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();

    @Test
    void readsTheRestOfTheRangeFromOneStream() throws Exception {
        try (RangeServer server = RangeServer.start().fill(100, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            List<RangePage> pages = readRest(client.reader(ALL), 50);

            assertThat(read).isEqualTo(keys(100));
            assertThat(sizes).containsExactly(50, 10, 20, 20);
            assertThat(pages).extracting(RangePage::remaining).containsExactly(50L, 40L, 20L, 0L);
            assertThat(pages)
                    .extracting(RangePage::currentRevision)
                    .containsOnly(RangeServer.REVISION);
            assertThat(pages).extracting(RangePage::clusterId).containsOnly(RangeServer.CLUSTER);
            assertThat(server.pages).hasValue(1);
            assertThat(server.streams).hasValue(1);
        }
    }

    @Test
    void aPageHasNoMoreKeysThanItsLimit() throws Exception {
        try (RangeServer server = RangeServer.start().fill(60, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            readRest(client.reader(ALL), 7);

            assertThat(read).isEqualTo(keys(60));
            assertThat(sizes).containsExactly(7, 7, 3, 7, 7, 6, 7, 7, 7, 2);
            assertThat(server.streams).hasValue(1);
        }
    }

    @Test
    void aRangeOfOnePageOpensNoStream() throws Exception {
        try (RangeServer server = RangeServer.start().fill(10, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            readRest(client.reader(ALL), 10);

            assertThat(read).isEqualTo(keys(10));
            assertThat(server.streams).hasValue(0);
        }
    }

    @Test
    void allPagesAreAtTheRevisionOfTheFirst() throws Exception {
        try (RangeServer server = RangeServer.start().fill(30, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            RangeReader reader = client.reader(ALL.at(0));

            readRest(reader, 5);

            assertThat(read).isEqualTo(keys(30));
            assertThat(reader.revision()).isEqualTo(RangeServer.REVISION);
        }
    }

    @Test
    void readsPagesFromAMemberWithoutStreams() throws Exception {
        try (RangeServer server = RangeServer.withoutStreams().fill(50, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            readRest(client.reader(ALL), 10);

            assertThat(read).isEqualTo(keys(50));
            assertThat(sizes).containsExactly(10, 10, 10, 10, 10);
            assertThat(server.pages).hasValue(5);
        }
    }

    /** As etcd's gRPC proxy and proxies that permit known methods only. */
    @ParameterizedTest
    @EnumSource(
            names = {
                "UNIMPLEMENTED",
                "UNKNOWN",
                "PERMISSION_DENIED",
                "UNAVAILABLE",
                "DEADLINE_EXCEEDED"
            })
    void triesNoSecondStreamAfterARefusedOne(Status.Code refusal) throws Exception {
        try (RangeServer server = RangeServer.start().fill(50, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.fault = (_, _) -> fail(refusal.toStatus().withDescription("not supported"));

            readRest(client.reader(ALL), 10);

            assertThat(read).isEqualTo(keys(50));
            assertThat(server.pages).hasValue(5);
            assertThat(server.streams).hasValue(1);
        }
    }

    @Test
    void aStreamWaitsForAChunkUntilTheDeadline() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (RangeServer server = RangeServer.start().fill(50, 10)) {
            URI endpoint = URI.create(server.endpoint());
            ManagedChannel channel =
                    NettyChannelBuilder.forAddress(endpoint.getHost(), endpoint.getPort())
                            .usePlaintext()
                            .build();
            try {
                server.fault = (_, _) -> end.await();
                assertDeadline(() -> open(channel, Deadline.after(0, SECONDS)));

                server.fault =
                        (_, chunk) -> {
                            if (chunk == 3) {
                                end.await();
                            }
                        };
                RangeStream stream = open(channel, Deadline.after(60, SECONDS));
                assertThat(stream.next(Deadline.after(60, SECONDS))).hasSize(10);
                assertThat(stream.isAtEnd()).isFalse();
                assertThat(stream.next(Deadline.after(0, SECONDS))).hasSize(20);
                assertThat(stream.isAtEnd()).isTrue();
                assertThat(stream.hasMore()).isTrue();
            } finally {
                end.countDown();
                channel.shutdownNow();
            }
        }
    }

    private static RangeStream open(ManagedChannel channel, Deadline deadline) {
        return RangeStream.open(
                channel, new Metadata(), deadline, ALL, RangeServer.CLUSTER, 1 << 20);
    }

    private static void assertDeadline(ThrowingCallable call) {
        assertThat(catchThrowableOfType(StatusRuntimeException.class, call).getStatus().getCode())
                .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    }

    @Test
    void continuesAfterTheLastKeyWhenAStreamBreaks() throws Exception {
        try (RangeServer server = RangeServer.start().fill(200, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.fault =
                    (stream, chunk) -> {
                        if (stream < 3 && chunk == 3) {
                            fail(Status.UNAVAILABLE.withDescription("broken"));
                        }
                    };

            readRest(client.reader(ALL), 100);

            assertThat(read).isEqualTo(keys(200));
            assertThat(sizes).startsWith(100, 10, 20, 10, 10, 20, 10, 10);
        }
    }

    @Test
    void readsWithAnotherStreamWhenTheRangeIsLongerThanTheBrokenOne() throws Exception {
        try (RangeServer server = RangeServer.start().fill(200, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.fault =
                    (stream, chunk) -> {
                        if (stream == 1 && chunk == 3) {
                            fail(Status.INTERNAL.withDescription("reset"));
                        }
                    };

            readRest(client.reader(ALL), 30);

            assertThat(read).isEqualTo(keys(200));
            assertThat(sizes).startsWith(30, 10, 20, 10, 10, 20);
            assertThat(server.pages).hasValue(2);
            assertThat(server.streams).hasValue(2);
        }
    }

    @Test
    void reportsACompactionDuringTheStream() throws Exception {
        try (RangeServer server = RangeServer.start().fill(200, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.fault =
                    (_, chunk) -> {
                        if (chunk == 4) {
                            server.compacted = RangeServer.REVISION + 1;
                        }
                    };

            assertKind(EtcdException.Kind.COMPACTED, () -> readRest(client.reader(ALL), 50));

            assertThat(read).isEqualTo(keys(200).subList(0, 50 + 10 + 20 + 40));
        }
    }

    /** etcd checks a user's rights again when the stream ends. */
    @Test
    void reportsRightsThatWereLostDuringTheStream() throws Exception {
        try (RangeServer server = RangeServer.start().fill(100, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.fault =
                    (_, chunk) -> {
                        if (chunk == -1) {
                            server.deniesPages = true;
                            fail(
                                    Status.INVALID_ARGUMENT.withDescription(
                                            "etcdserver: revision of auth store is old"));
                        }
                    };

            assertKind(EtcdException.Kind.AUTH, () -> readRest(client.reader(ALL), 50));

            assertThat(server.pages).hasValue(2);
        }
    }

    /** Only the last chunk shows it, when the chunks before were returned. */
    @ParameterizedTest
    @ValueSource(ints = {20, 200})
    void failsWhenAStreamIsOfAnotherCluster(int streamed) throws Exception {
        try (RangeServer server =
                        RangeServer.start().fill(60, 10).streamFromAnotherCluster(streamed);
                EtcdClient client = new EtcdClient(server.options())) {
            RangeReader reader = client.reader(ALL);

            assertKind(EtcdException.Kind.OTHER_CLUSTER, () -> readRest(reader, 40));

            assertThat(read).startsWith("/k/00000").doesNotContain("/k/00040");
            assertThat(server.pages).hasValue(1);
        }
    }

    @Test
    void readsPagesWhenTheFirstChunkIsOfAnotherCluster() throws Exception {
        try (RangeServer server = RangeServer.start().fill(60, 10).streamFromAnotherCluster(5);
                EtcdClient client = new EtcdClient(server.options())) {
            readRest(client.reader(ALL), 40);

            assertThat(read).isEqualTo(keys(60));
            assertThat(server.pages).hasValue(2);
        }
    }

    /** A stream of that cluster may have broken before its end, where it would have shown it. */
    @Test
    void failsWhenAPageIsOfAnotherCluster() throws Exception {
        try (RangeServer server = RangeServer.withoutStreams().fill(60, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            RangeReader reader = client.reader(ALL);
            read(reader, 40);
            server.clusterOfPages = RangeServer.CLUSTER + 1;

            assertKind(EtcdException.Kind.OTHER_CLUSTER, () -> reader.next(40));
        }
    }

    @Test
    void acceptsHeadersInEachChunk() throws Exception {
        try (RangeServer server = RangeServer.start().fill(100, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.headerInEachChunk = true;

            readRest(client.reader(ALL), 50);

            assertThat(read).isEqualTo(keys(100));
            assertThat(server.pages).hasValue(1);
        }
    }

    /** A page of the usual limit would be too large as well. */
    @Test
    void requestsAShortPageInThePlaceOfAChunkThatIsTooLarge() throws Exception {
        try (RangeServer server = RangeServer.start().fill(2_000, 10).add(100, 200_000);
                EtcdClient client =
                        new EtcdClient(server.options().withMaxInboundMessageBytes(6 << 20))) {
            readRest(client.reader(ALL), 500);

            assertThat(read).isEqualTo(keys(2_100));
            assertThat(server.streams.get()).isGreaterThan(1);
        }
    }

    @Test
    void theServerSendsNoMoreThanTheReaderTakes() throws Exception {
        try (RangeServer server = RangeServer.start().fill(500, 200_000);
                EtcdClient client = new EtcdClient(server.options())) {
            RangeReader reader = client.reader(ALL);
            read(reader, 10);
            read(reader, 10);

            await().until(() -> server.waits.get() > 0);

            assertThat(server.chunks.get()).isLessThan(10);
            readRest(reader, 10);
            assertThat(read).isEqualTo(keys(500));
            assertThat(server.pages).hasValue(1);
        }
    }

    @Test
    void closingTheReaderEndsTheStream() throws Exception {
        try (RangeServer server = RangeServer.start().fill(500, 200_000);
                EtcdClient client = new EtcdClient(server.options())) {
            try (RangeReader reader = client.reader(ALL)) {
                read(reader, 10);
                read(reader, 10);
            }
            await().until(() -> server.cancelled.get() == 1);
        }
    }

    @Test
    void continuesAtAnOlderMember() throws Exception {
        try (RangeServer newer = RangeServer.start().fill(500, 200_000);
                RangeServer older = RangeServer.withoutStreams().fill(500, 200_000);
                EtcdClient client =
                        new EtcdClient(RangeServer.options(newer.endpoint(), older.endpoint()))) {
            RangeReader reader = client.reader(ALL);
            read(reader, 20);
            read(reader, 20);
            newer.close();

            readRest(reader, 20);

            assertThat(read).isEqualTo(keys(500));
            assertThat(newer.streams).hasValue(1);
            assertThat(older.pages.get()).isGreaterThan(10);
        }
    }

    @Test
    void continuesAtANewerMember() throws Exception {
        try (RangeServer older = RangeServer.withoutStreams().fill(100, 10);
                RangeServer newer = RangeServer.start().fill(100, 10);
                EtcdClient client =
                        new EtcdClient(RangeServer.options(older.endpoint(), newer.endpoint()))) {
            readRest(client.reader(ALL), 10);
            older.close();
            read.clear();

            readRest(client.reader(ALL), 10);

            assertThat(read).isEqualTo(keys(100));
            assertThat(newer.pages).hasValue(1);
            assertThat(newer.streams).hasValue(1);
        }
    }

    @Test
    void aFailedPageCanBeReadAgain() throws Exception {
        try (RangeServer server = RangeServer.start().fill(50, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            RangeReader reader = client.reader(ALL);
            server.deniesPages = true;
            assertKind(EtcdException.Kind.AUTH, () -> reader.next(10));
            server.deniesPages = false;

            readRest(reader, 10);

            assertThat(read).isEqualTo(keys(50));
        }
    }

    @Test
    void anInterruptEndsTheRead() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (RangeServer server = RangeServer.start().fill(50, 10);
                EtcdClient client = new EtcdClient(server.options())) {
            server.fault = (_, _) -> end.await();
            RangeReader reader = client.reader(ALL);
            read(reader, 10);
            Thread.currentThread().interrupt();

            assertKind(EtcdException.Kind.OTHER, () -> reader.next(10));

            assertThat(Thread.interrupted()).isTrue();
            end.countDown();
        }
    }

    @Test
    void aPageNeedsALimit() throws Exception {
        try (RangeServer server = RangeServer.start();
                EtcdClient client = new EtcdClient(server.options())) {
            assertThatThrownBy(() -> client.reader(ALL).next(0))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private List<RangePage> readRest(RangeReader reader, int limit) {
        List<RangePage> pages = new ArrayList<>();
        do {
            pages.add(read(reader, limit));
        } while (pages.getLast().more());
        return pages;
    }

    private RangePage read(RangeReader reader, int limit) {
        RangePage page = reader.next(limit);
        sizes.add(page.keyValues().size());
        page.keyValues().forEach(keyValue -> read.add(keyValue.key().utf8()));
        return page;
    }

    private static List<String> keys(int count) {
        return IntStream.range(0, count).mapToObj("/k/%05d"::formatted).toList();
    }

    private static void fail(Status status) {
        throw status.asRuntimeException();
    }
}
