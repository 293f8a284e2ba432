package io.tidemark.store;

import io.tidemark.record.Bytes;
import io.tidemark.store.read.LocalPartitionView;
import io.tidemark.view.PartitionView;
import io.tidemark.view.object.HashRange;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.Selection;
import io.tidemark.view.object.Selection.Operator;
import io.tidemark.view.object.Selection.Requirement;
import io.tidemark.view.object.Selection.Source;
import io.tidemark.view.object.StoredObject;
import io.tidemark.view.request.ChangePage;
import io.tidemark.view.request.ChangePosition;
import io.tidemark.view.request.ChangesRequest;
import io.tidemark.view.request.GetRequest;
import io.tidemark.view.request.KeyVersion;
import io.tidemark.view.request.KeysPage;
import io.tidemark.view.request.KeysRequest;
import io.tidemark.view.request.ObjectChange;
import io.tidemark.view.request.ReadOutcome;
import io.tidemark.view.request.ReadOutcome.Served;
import io.tidemark.view.request.ScanPage;
import io.tidemark.view.request.ScanRequest;
import io.tidemark.view.request.VersionPage;
import io.tidemark.view.request.VersionsRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Compares all answers of a view at a revision with the model. */
final class StoreComparison {
    private static final String[] PREFIXES = {
        "", "/", "/registry/pods/x/", "/registry/pods/x/a", "/none"
    };

    private static final List<List<Requirement>> REQUIREMENTS =
            List.of(
                    List.of(in(Source.LABEL, "app", "v1")),
                    List.of(in(Source.LABEL, "app", "v0", "v2")),
                    List.of(in(Source.LABEL, "app", RandomHistory.LONG)),
                    List.of(in(Source.LABEL, "app", RandomHistory.LONG, "v1")),
                    List.of(in(Source.LABEL, "more-7", "")),
                    List.of(in(Source.LABEL, "none", "x")),
                    List.of(in(Source.LABEL, "app", "v1"), in(Source.LABEL, "tier", "t0")),
                    List.of(
                            in(Source.LABEL, "app", "v0", "v1"),
                            in(Source.LABEL, "tier", "t0"),
                            in(Source.FIELD, "spec.nodeName", "n1", "n2")),
                    List.of(
                            in(Source.LABEL, "tier", "t1"),
                            new Requirement(
                                    Source.LABEL, "app", Operator.NOT_IN, Set.of("v1", "v2"))),
                    List.of(
                            in(Source.LABEL, "tier", "t1"),
                            new Requirement(Source.LABEL, "app", Operator.EXISTS, Set.of())),
                    List.of(new Requirement(Source.LABEL, "app", Operator.ABSENT, Set.of())),
                    List.of(in(Source.FIELD, "spec.nodeName", "n1")),
                    List.of(in(Source.FIELD, "spec.nodeName", "", "n2")),
                    List.of(in(Source.FIELD, "spec.size", "1")),
                    List.of(in(Source.FIELD, "spec.size", "", "2")),
                    List.of(in(Source.FIELD, "metadata.name", "p")),
                    List.of(shard("metadata.uid", 0, Long.MAX_VALUE / 2)),
                    List.of(shard("metadata.uid", 1L << 62, -1)),
                    List.of(
                            shard(
                                    "metadata.uid",
                                    HashRange.hash("uid-1"),
                                    HashRange.hash("uid-1"))),
                    List.of(shard("metadata.namespace", Long.MIN_VALUE, -1)),
                    List.of(
                            shard("metadata.uid", Long.MIN_VALUE, -1L << 62),
                            in(Source.LABEL, "tier", "t0")),
                    List.of(
                            new Requirement(
                                    Source.FIELD, "spec.size", Operator.NOT_IN, Set.of("0"))));

    private final PartitionView view;
    private final ReferenceModel model;
    private final SplittableRandom random;

    StoreComparison(PartitionView view, ReferenceModel model, SplittableRandom random) {
        this.view = view;
        this.model = model;
        this.random = random;
    }

    /** The first difference; empty if there is none. */
    String compareAt(long revision) {
        Bytes prefix = Bytes.utf8(PREFIXES[random.nextInt(PREFIXES.length)]);
        TreeMap<Bytes, Long> expected = new TreeMap<>(model.at(revision));
        for (Map.Entry<Bytes, Long> entry : expected.entrySet()) {
            Long found = get(entry.getKey(), revision);
            if (!entry.getValue().equals(found)) {
                return "get %s at %d: %s, not %s"
                        .formatted(entry.getKey(), revision, found, entry.getValue());
            }
        }
        expected.keySet().removeIf(key -> !key.startsWith(prefix));
        Map<Bytes, Long> scanned = revisions(scan(prefix, revision, Selection.ALL));
        if (!scanned.equals(expected)) {
            return "scan %s at %d: %s, not %s".formatted(prefix, revision, scanned, expected);
        }
        String wrong = compareVersions(revision);
        return wrong.isEmpty()
                ? compareChanges(prefix, revision)
                        + compareIndexes(prefix, revision)
                        + compareParts(prefix, revision, Projection.METADATA)
                        + compareParts(prefix, revision, Projection.CHECKSUM)
                        + compareKeys(revision)
                : wrong;
    }

    /** The self-check's reads of both families, in pages of any size. */
    private String compareKeys(long revision) {
        if (!(view instanceof LocalPartitionView local)) {
            return "";
        }
        long epoch = view.state().epoch();
        for (Projection family : local.forms()) {
            TreeMap<Bytes, Long> found = new TreeMap<>();
            Optional<Bytes> from = Optional.of(Bytes.EMPTY);
            while (from.isPresent()) {
                int max = 1 + random.nextInt(6);
                KeysPage page =
                        served(
                                local.keys(
                                        new KeysRequest(family, epoch, revision, from.get(), max)));
                page.keys().forEach(each -> found.put(each.key(), each.modRevision()));
                from = page.next();
            }
            if (!found.equals(model.at(revision))) {
                return "keys of %s at %d: %s, not %s"
                        .formatted(family, revision, found, model.at(revision));
            }
        }
        KeysRequest other = new KeysRequest(Projection.WHOLE, epoch + 1, revision, Bytes.EMPTY, 1);
        return local.keys(other) instanceof ReadOutcome.ReplicaUnavailable<KeysPage>
                ? ""
                : "served keys of another epoch";
    }

    /** A projection must equal the same part of whole objects. */
    private String compareParts(Bytes prefix, long revision, Projection part) {
        Set<Bytes> read = new HashSet<>();
        for (List<Requirement> requirements : REQUIREMENTS) {
            Selection selection = new Selection(random.nextBoolean(), requirements);
            List<StoredObject> found = scan(prefix, revision, selection, part);
            List<StoredObject> expected =
                    scan(prefix, revision, selection).stream().map(part::of).toList();
            if (!found.equals(expected)) {
                return "%s, %s at %d: %s, not %s"
                        .formatted(part, requirements, revision, found, expected);
            }
            for (StoredObject each : expected) {
                if (!read.add(each.key())) {
                    continue;
                }
                Optional<StoredObject> one =
                        served(view.read(new GetRequest(each.key(), revision, part)));
                if (!one.equals(Optional.of(each))) {
                    return "%s of %s at %d: %s".formatted(part, each, revision, one);
                }
            }
        }
        return "";
    }

    /** The versions of every key that ever existed, joined from pages of any size. */
    private String compareVersions(long through) {
        long floor = view.state().floor();
        for (Bytes key : model.keys()) {
            List<String> found = new ArrayList<>();
            long from = 0;
            while (from < through) {
                VersionPage page =
                        served(
                                view.read(
                                        new VersionsRequest(
                                                key,
                                                from,
                                                through,
                                                1 + random.nextInt(4),
                                                1 + random.nextInt(2000))));
                if (page.floor() != floor || page.throughRevision() <= from) {
                    return "versions of %s after %d: %s, floor %d"
                            .formatted(key, from, page, floor);
                }
                page.versions().forEach(version -> found.add(describe(version, floor)));
                from = page.throughRevision();
            }
            List<String> expected = model.versions(key, floor, through);
            if (!found.equals(expected)) {
                return "versions of %s through %d, floor %d: %s, not %s"
                        .formatted(key, through, floor, found, expected);
            }
        }
        return "";
    }

    private static String describe(KeyVersion version, long floor) {
        boolean deleted = version.step() == KeyVersion.Step.DELETED;
        if (deleted == (version.object().revision() == version.revision())) {
            return version + " shows " + version.object();
        }
        return version.revision() + " " + (version.revision() <= floor ? "BASE" : version.step());
    }

    private String compareChanges(Bytes prefix, long after) {
        long watermark = view.state().watermark();
        List<String> found = new ArrayList<>();
        ChangePosition from = ChangePosition.endOf(after);
        while (from.wholeRevision() < watermark) {
            ChangePage page =
                    served(
                            view.read(
                                    new ChangesRequest(
                                            prefix,
                                            from,
                                            Long.MAX_VALUE,
                                            1 + random.nextInt(5),
                                            1 + random.nextInt(2000),
                                            Projection.WHOLE)));
            if (page.through().compareTo(from) <= 0) {
                return "a page after %s ends at %s".formatted(from, page.through());
            }
            page.changes().forEach(change -> found.add(describe(change)));
            if (!isTheSameInMetadata(prefix, from, page)) {
                return "metadata of %s differs".formatted(page);
            }
            from = page.through();
        }
        List<String> expected = model.changes(prefix, after, watermark);
        return found.equals(expected)
                ? ""
                : "changes of %s after %d: %s, not %s".formatted(prefix, after, found, expected);
    }

    private boolean isTheSameInMetadata(Bytes prefix, ChangePosition after, ChangePage page) {
        ChangePage metadata =
                served(
                        view.read(
                                new ChangesRequest(
                                        prefix,
                                        after,
                                        page.through().revision(),
                                        Integer.MAX_VALUE,
                                        Integer.MAX_VALUE,
                                        Projection.METADATA)));
        List<ObjectChange> expected =
                page.changes().stream()
                        .map(change ->
                                new ObjectChange(
                                        change.revision(),
                                        change.index(),
                                        change.key(),
                                        metadataOf(change.current()),
                                        metadataOf(change.previous())))
                        .toList();
        // A page may also end after scanning enough entries.
        List<ObjectChange> found =
                metadata.changes().stream().filter(page.through()::covers).toList();
        return expected.size() >= found.size() && expected.subList(0, found.size()).equals(found);
    }

    private static StoredObject metadataOf(StoredObject object) {
        return object == null ? null : object.metadataOnly();
    }

    private String compareIndexes(Bytes prefix, long revision) {
        List<StoredObject> all = scan(prefix, revision, Selection.ALL);
        for (List<Requirement> requirements : REQUIREMENTS) {
            Selection selection = new Selection(false, requirements);
            List<StoredObject> found = scan(prefix, revision, selection);
            List<StoredObject> expected = all.stream().filter(selection::matches).toList();
            if (!found.equals(expected)) {
                return "%s at %d: %s, not %s".formatted(requirements, revision, found, expected);
            }
        }
        return "";
    }

    private static Requirement shard(String field, long first, long last) {
        return new Requirement(
                Source.FIELD,
                field,
                Operator.HASH_IN,
                Set.of(new HashRange(first, last).toString()));
    }

    private static Requirement in(Source source, String name, String... values) {
        return new Requirement(source, name, Operator.IN, Set.of(values));
    }

    private Long get(Bytes key, long revision) {
        return served(view.read(new GetRequest(key, revision)))
                .map(StoredObject::revision)
                .orElse(null);
    }

    private List<StoredObject> scan(Bytes prefix, long revision, Selection selection) {
        return scan(prefix, revision, selection, Projection.WHOLE);
    }

    private List<StoredObject> scan(
            Bytes prefix, long revision, Selection selection, Projection projection) {
        List<StoredObject> objects = new ArrayList<>();
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        while (from.isPresent()) {
            ScanPage page =
                    served(
                            view.read(
                                    new ScanRequest(
                                            prefix,
                                            from.get(),
                                            revision,
                                            selection,
                                            1 + random.nextInt(8),
                                            1 + random.nextInt(3000),
                                            projection)));
            objects.addAll(page.objects());
            from = page.nextKey();
        }
        return objects;
    }

    private static Map<Bytes, Long> revisions(List<StoredObject> objects) {
        Map<Bytes, Long> revisions = new TreeMap<>();
        objects.forEach(object -> revisions.put(object.key(), object.revision()));
        return revisions;
    }

    private static String describe(ObjectChange change) {
        return ReferenceModel.describe(
                change.revision(),
                change.index(),
                change.key(),
                change.current() == null ? null : change.current().revision(),
                change.previous() == null ? null : change.previous().revision());
    }

    private static <T> T served(ReadOutcome<T> outcome) {
        if (outcome instanceof Served<T>(T value)) {
            return value;
        }
        throw new AssertionError("not served: " + outcome);
    }
}
