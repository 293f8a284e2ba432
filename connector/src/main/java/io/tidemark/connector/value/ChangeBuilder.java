package io.tidemark.connector.value;

import io.tidemark.connector.source.EtcdEvent;
import io.tidemark.connector.source.EtcdKeyValue;
import io.tidemark.kubernetes.SecretValues;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns etcd's keys and events into the mirror's changes: leaves out what is not mirrored, numbers
 * the changes of a revision, reads the values, withholds Secrets. A function of its input, so that
 * what is written again after a fault is the same byte for byte.
 *
 * @param keys which of them are mirrored
 * @param maxRecordBytes what a record may hold, key, value and headers; a larger value becomes an
 *     empty, unreadable one, so that an older value cannot pass for it
 */
public record ChangeBuilder(
        MirroredKeys keys, ValueReader reader, ParallelMap parallel, int maxRecordBytes) {
    /** Bound on the headers, the batch's frame, and the resource version that is put in. */
    private static final int OVERHEAD = 1024;

    /**
     * @param includeSecrets whether Secrets are mirrored
     */
    public ChangeBuilder(
            KubernetesKeys keys,
            ValueReader reader,
            ParallelMap parallel,
            boolean includeSecrets,
            int maxRecordBytes) {
        this(new MirroredKeys(keys, includeSecrets), reader, parallel, maxRecordBytes);
    }

    /** The same for another topic's limit. */
    public ChangeBuilder withMaxRecordBytes(int bytes) {
        return new ChangeBuilder(keys, reader, parallel, bytes);
    }

    /** A change that is mirrored, with its place in its revision. */
    private record Numbered(EtcdEvent event, int index) {}

    /** A page of a list. Its records' index is 0: a list makes no history that it would order. */
    public List<MirrorEntry> listed(long epoch, List<EtcdKeyValue> keyValues) {
        List<EtcdKeyValue> wanted = new ArrayList<>(keyValues.size());
        for (EtcdKeyValue keyValue : keyValues) {
            if (keys.isMirrored(keyValue.key())) {
                wanted.add(keyValue);
            }
        }
        return parallel.map(wanted, EtcdKeyValue::size, keyValue -> put(epoch, keyValue, 0, true));
    }

    /**
     * What the topic was found to lack.
     *
     * @param firstIndex of the first; the others follow
     */
    public List<MirrorEntry> missing(long epoch, List<EtcdKeyValue> keyValues, int firstIndex) {
        List<Integer> places = IntStream.range(0, keyValues.size()).boxed().toList();
        return parallel.map(
                places,
                place -> keyValues.get(place).size(),
                place -> put(epoch, keyValues.get(place), firstIndex + place, true));
    }

    /** Events of whole revisions, in order. */
    public List<MirrorEntry> changed(long epoch, List<EtcdEvent> events) {
        return changed(epoch, events, new RevisionIndex());
    }

    /**
     * Events in order.
     *
     * @param index of the changes of the same watch before these: of a revision that comes in parts
     *     it goes on
     */
    public List<MirrorEntry> changed(long epoch, List<EtcdEvent> events, RevisionIndex index) {
        List<Numbered> wanted = new ArrayList<>(events.size());
        for (EtcdEvent event : events) {
            if (keys.isMirrored(event.key())) {
                wanted.add(new Numbered(event, index.next(event.modRevision())));
            }
        }
        return parallel.map(
                wanted, numbered -> numbered.event().size(), numbered -> change(epoch, numbered));
    }

    /** Whether the topic is to hold this key's changes. */
    public boolean isWritten(Bytes key) {
        return keys.isStored(key);
    }

    private MirrorEntry change(long epoch, Numbered numbered) {
        return switch (numbered.event()) {
            case EtcdEvent.Put(EtcdKeyValue keyValue) ->
                    put(epoch, keyValue, numbered.index(), false);
            case EtcdEvent.Delete(Bytes key, long revision) ->
                    new MirrorEntry(
                            key,
                            MirroredKeys.isReserved(key)
                                    ? null
                                    : new Change.Delete(epoch, revision, numbered.index(), key),
                            null);
        };
    }

    private MirrorEntry put(long epoch, EtcdKeyValue keyValue, int index, boolean listed) {
        Bytes key = keyValue.key();
        if (MirroredKeys.isReserved(key)) {
            String why = "the mirror keeps such keys for its own records";
            boolean secret =
                    SecretValues.isSecret(keyValue.value().array(), 0, keyValue.value().length());
            return new MirrorEntry(
                    key, null, letter(epoch, keyValue, UnreadableReason.RESERVED_KEY, why, secret));
        }
        ClassifiedValue read = reader.read(key, keyValue.value(), keyValue.modRevision());
        boolean secret = keys.keys().isSecret(key) || isSecret(read, keyValue.value());
        if (secret && !keys.includeSecrets()) {
            return withheld(epoch, keyValue, index, listed);
        }
        Bytes value =
                read instanceof ClassifiedValue.KubernetesObject(Bytes json)
                        ? json
                        : keyValue.value();
        long size = (long) key.length() + value.length() + OVERHEAD;
        if (size > maxRecordBytes) {
            String why = "%,d bytes, the topic takes %,d".formatted(size, maxRecordBytes);
            read = new ClassifiedValue.Unreadable(UnreadableReason.TOO_LARGE, why);
            value = Bytes.EMPTY;
        }
        return switch (read) {
            case ClassifiedValue.KubernetesObject _ ->
                    mirrored(
                            epoch,
                            keyValue,
                            index,
                            listed,
                            value,
                            ContentType.KUBERNETES_JSON,
                            "",
                            null);
            case ClassifiedValue.Raw() ->
                    mirrored(epoch, keyValue, index, listed, value, ContentType.RAW, "", null);
            case ClassifiedValue.Unreadable(UnreadableReason reason, String why) ->
                    mirrored(
                            epoch,
                            keyValue,
                            index,
                            listed,
                            value,
                            ContentType.RAW,
                            why,
                            letter(epoch, keyValue, reason, why, secret));
        };
    }

    private static boolean isSecret(ClassifiedValue read, Bytes stored) {
        return read instanceof ClassifiedValue.KubernetesObject(Bytes json)
                ? SecretValues.isSecretObject(json.array(), 0, json.length())
                : SecretValues.isSecret(stored.array(), 0, stored.length());
    }

    /** The key's place in the mirror: it replaces what the key held, and nothing can be read. */
    private static MirrorEntry withheld(
            long epoch, EtcdKeyValue keyValue, int index, boolean listed) {
        return mirrored(
                epoch,
                keyValue,
                index,
                listed,
                Bytes.EMPTY,
                ContentType.RAW,
                Change.Put.WITHHELD,
                null);
    }

    private static MirrorEntry mirrored(
            long epoch,
            EtcdKeyValue keyValue,
            int index,
            boolean listed,
            Bytes value,
            ContentType contentType,
            String unreadable,
            @Nullable DeadLetter letter) {
        return new MirrorEntry(
                keyValue.key(),
                new Change.Put(
                        epoch,
                        keyValue.modRevision(),
                        index,
                        keyValue.key(),
                        value,
                        contentType,
                        keyValue.createRevision(),
                        keyValue.version(),
                        keyValue.lease(),
                        listed,
                        unreadable),
                letter);
    }

    /** A decoder's words may quote what it could not read: of a Secret they are left out, too. */
    private static DeadLetter letter(
            long epoch,
            EtcdKeyValue keyValue,
            UnreadableReason reason,
            String why,
            boolean secret) {
        return new DeadLetter(
                epoch,
                keyValue.modRevision(),
                keyValue.key(),
                secret ? Bytes.EMPTY : keyValue.value(),
                keyValue.value().length(),
                reason,
                secret ? "a Secret that cannot be read: " + reason.label() : why);
    }
}
