package io.tidemark.digest;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.record.Bytes;
import io.tidemark.record.PartitionAssigner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DigestTest {
    private static final DirectoryGroups GROUPS = new DirectoryGroups(Bytes.utf8("/registry/"));

    private static List<KeyRevision> random(Random random, int size) {
        Set<Bytes> keys = new HashSet<>();
        List<KeyRevision> all = new ArrayList<>();
        String[] resources = {"pods", "services/specs", "a.io/as", "leases"};
        while (all.size() < size) {
            String resource = resources[random.nextInt(resources.length)];
            String name = "ns%d/n%d".formatted(random.nextInt(7), random.nextInt(100_000));
            Bytes key = Bytes.utf8("/registry/" + resource + "/" + name);
            if (keys.add(key)) {
                all.add(new KeyRevision(key, 1 + random.nextInt(1_000_000)));
            }
        }
        return all;
    }

    private static DigestTable table(List<KeyRevision> keys, int partitions, int maxSlots) {
        DigestTally tally = new DigestTally(GROUPS, true, maxSlots);
        PartitionAssigner assigner = new PartitionAssigner(partitions);
        keys.forEach(each -> tally.add(assigner.partitionOf(each.key()), each));
        return tally.table();
    }

    private static KeyDigest total(DigestTable table) {
        return table.digests().values().stream().reduce(KeyDigest.NONE, KeyDigest::plus);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isIndependentOfKeyOrderAndPartitionCount(long seed) {
        Random random = new Random(seed);
        List<KeyRevision> keys = random(random, 500);
        DigestTable table = table(keys, 8, 1000);
        List<KeyRevision> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, random);

        assertThat(table(shuffled, 8, 1000)).isEqualTo(table);
        assertThat(total(table(keys, 3, 1000))).isEqualTo(total(table));
        assertThat(total(table).keys()).isEqualTo(500);
        assertThat(table.byGroup()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void collapsesTooManyGroupsByPartition(long seed) {
        List<KeyRevision> keys = random(new Random(seed), 300);
        DigestTable whole = table(keys, 8, 1000);

        DigestTable collapsed = table(keys, 8, 5);

        assertThat(collapsed).isEqualTo(whole.collapsed());
        assertThat(collapsed.byGroup()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void detectsEverySingleDifference(long seed) {
        Random random = new Random(seed);
        List<KeyRevision> keys = random(random, 200);
        DigestTable table = table(keys, 4, 1000);
        for (int i = 0; i < keys.size(); i++) {
            KeyRevision each = keys.get(i);
            List<KeyRevision> without = new ArrayList<>(keys);
            without.remove(i);
            assertThat(table(without, 4, 1000)).isNotEqualTo(table);
            List<KeyRevision> other = new ArrayList<>(keys);
            other.set(
                    i, new KeyRevision(each.key(), each.modRevision() ^ 1L << random.nextInt(62)));
            assertThat(table(other, 4, 1000)).isNotEqualTo(table);
            Bytes renamed = each.key().concat(Bytes.utf8("\0"));
            other.set(i, new KeyRevision(renamed, each.modRevision()));
            assertThat(total(table(other, 4, 1000))).isNotEqualTo(total(table));
        }
    }

    @Test
    void detectsExchangedRevisions() {
        KeyRevision a1 = new KeyRevision(Bytes.utf8("/registry/pods/a"), 1);
        KeyRevision a2 = new KeyRevision(Bytes.utf8("/registry/pods/a"), 2);
        KeyRevision b1 = new KeyRevision(Bytes.utf8("/registry/pods/b"), 1);
        KeyRevision b2 = new KeyRevision(Bytes.utf8("/registry/pods/b"), 2);

        assertThat(table(List.of(a1, b2), 1, 10)).isNotEqualTo(table(List.of(a2, b1), 1, 10));
    }

    @Test
    void similarKeysHaveDistinctDigests() {
        Set<KeyDigest> seen = new HashSet<>();
        for (int length = 0; length < 40; length++) {
            for (int b = 0; b < 256; b++) {
                byte[] key = new byte[length];
                java.util.Arrays.fill(key, (byte) b);
                for (long revision = 0; revision < 8; revision++) {
                    seen.add(KeyDigest.of(Bytes.wrap(key), revision));
                }
            }
        }

        assertThat(seen).hasSize(8 + 39 * 256 * 8);
    }

    @Test
    void parsesItsTextForm() {
        KeyDigest digest = KeyDigest.of(Bytes.utf8("/a"), 7).plus(KeyDigest.of(Bytes.EMPTY, 1));

        assertThat(KeyDigest.parse(2, digest.hex())).isEqualTo(digest);
    }

    @ParameterizedTest
    @CsvSource({
        "/registry/, /registry/pods/ns/a, /registry/pods/",
        "/registry/, /registry/services/specs/ns/a, /registry/services/specs/",
        "/registry/, /registry/services/a, /registry/services/",
        "/registry/, /registry/example.com/widgets/ns/a, /registry/example.com/widgets/",
        "/registry/, /registry/health, /registry/",
        "/x/registry/, /x/registry/example.com/widgets/a, /x/registry/example.com/widgets/",
        "/config/, /config/eu/a.b/c, /config/eu/",
        "/config/, /config/e.u/a.b/c, /config/e.u/",
        "/, /registry/pods/ns/a, /registry/pods/",
        "/, /other/pods/ns/a, /other/",
        "'', /other/pods/ns/a, /other/",
        "'', /registry/pods/ns/a, /registry/pods/",
        "'', /other, /",
        "'', other, ''"
    })
    void groupsAreResourcesOrFirstSegments(String prefix, String key, String group) {
        DirectoryGroups groups = new DirectoryGroups(Bytes.utf8(prefix));

        assertThat(groups.of(Bytes.utf8(key)).utf8()).isEqualTo(group);
        assertThat(groups.isOf(Bytes.utf8(key), Bytes.utf8(group))).isTrue();
        assertThat(groups.isOf(Bytes.utf8(key), Bytes.utf8(group + "x/"))).isFalse();
    }

    @Test
    void aNonTextNameBelongsToThePrefix() {
        Bytes key = Bytes.utf8("/registry/").concat(Bytes.wrap(new byte[] {(byte) 0xff, '/', 'a'}));

        assertThat(GROUPS.of(key)).isEqualTo(Bytes.utf8("/registry/"));
        assertThat(GROUPS.isOf(key, Bytes.utf8("/registry/"))).isTrue();
    }

    @Test
    void onlyDirectoriesBelowKubernetesRootAreResources() {
        assertThat(DirectoryGroups.isResource(Bytes.utf8("/registry/pods/"))).isTrue();
        assertThat(DirectoryGroups.isResource(Bytes.utf8("/registry/"))).isFalse();
        assertThat(DirectoryGroups.isResource(Bytes.utf8("/config/eu/"))).isFalse();
        assertThat(DirectoryGroups.isResource(DigestTable.EVERYTHING)).isFalse();
    }
}
