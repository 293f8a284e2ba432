package io.tidemark.connector.value;

import io.tidemark.connector.redact.Redactor;
import io.tidemark.etcd.KeyChange;
import io.tidemark.etcd.KeyValue;
import io.tidemark.kubernetes.SecretValues;
import io.tidemark.record.Bytes;
import io.tidemark.record.Change;
import io.tidemark.record.ContentType;
import io.tidemark.record.secret.PutSealer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts etcd's keys and events to the mirror's changes: drops keys that are not mirrored,
 * numbers the changes of a revision, decodes values, withholds Secrets, redacts. A pure function,
 * so that a retry after a fault writes the same bytes.
 *
 * @param keys which of them are mirrored
 * @param redactor which values of objects are replaced
 * @param maxRecordBytes limit of a record's key, value and headers; a larger value becomes an
 *     empty, unreadable one, so that an older value cannot pass for it
 * @param sealer encrypts mirrored Secrets; empty to mirror them in clear
 */
public record ChangeBuilder(
        MirroredKeys keys,
        ValueReader reader,
        Redactor redactor,
        ParallelMap parallel,
        int maxRecordBytes,
        Optional<PutSealer> sealer) {
    /**
     * Bound on the headers, the batch's frame, the inserted resource version, and what encryption
     * adds.
     */
    private static final int OVERHEAD = 1024;

    /**
     * Compression adds at most one byte to so many, and the topic's limit is on compressed batches.
     * Snappy at its worst has a literal of 61 bytes, which adds two, before each copy of four
     * bytes, which saves one; each block of 32 KiB adds ten. LZ4 adds less.
     */
    private static final int BYTES_PER_ADDED_BYTE = 60;

    /** Without encryption. */
    public ChangeBuilder(
            MirroredKeys keys,
            ValueReader reader,
            Redactor redactor,
            ParallelMap parallel,
            int maxRecordBytes) {
        this(keys, reader, redactor, parallel, maxRecordBytes, Optional.empty());
    }

    /** The same with Secrets encrypted. */
    public ChangeBuilder withSealer(Optional<PutSealer> newSealer) {
        return new ChangeBuilder(keys, reader, redactor, parallel, maxRecordBytes, newSealer);
    }

    /**
     * @param includeSecrets whether Secrets are mirrored
     */
    public ChangeBuilder(
            KubernetesKeys keys,
            ValueReader reader,
            ParallelMap parallel,
            boolean includeSecrets,
            int maxRecordBytes) {
        this(
                new MirroredKeys(keys, includeSecrets),
                reader,
                Redactor.NONE,
                parallel,
                maxRecordBytes);
    }

    /** The same for another topic's limit. */
    public ChangeBuilder withMaxRecordBytes(int bytes) {
        return new ChangeBuilder(keys, reader, redactor, parallel, bytes, sealer);
    }

    /** A mirrored change, with its index in its revision. */
    private record Numbered(KeyChange event, int index) {}

    /** Changes of a page of a list. Their index is 0: a list has no history to order. */
    public List<MirrorEntry> listed(long epoch, List<KeyValue> keyValues) {
        List<KeyValue> kept = new ArrayList<>(keyValues.size());
        for (KeyValue keyValue : keyValues) {
            if (keys.isMirrored(keyValue.key())) {
                kept.add(keyValue);
            }
        }
        return parallel.map(kept, KeyValue::size, keyValue -> put(epoch, keyValue, 0, true));
    }

    /**
     * Changes for listed keys that the topic lacks.
     *
     * @param firstIndex index of the first change; the others follow
     */
    public List<MirrorEntry> missing(long epoch, List<KeyValue> keyValues, int firstIndex) {
        List<Integer> indexes = IntStream.range(0, keyValues.size()).boxed().toList();
        return parallel.map(
                indexes,
                at -> keyValues.get(at).size(),
                at -> put(epoch, keyValues.get(at), firstIndex + at, true));
    }

    /** Changes of whole revisions, in order. */
    public List<MirrorEntry> changed(long epoch, List<KeyChange> events) {
        return changed(epoch, events, new RevisionIndex());
    }

    /**
     * Changes in order.
     *
     * @param index assigned to the watch's previous changes: a revision that comes in parts
     *     continues its numbering
     */
    public List<MirrorEntry> changed(long epoch, List<KeyChange> events, RevisionIndex index) {
        List<Numbered> kept = new ArrayList<>(events.size());
        for (KeyChange event : events) {
            if (keys.isMirrored(event.key())) {
                kept.add(new Numbered(event, index.next(event.revision())));
            }
        }
        return parallel.map(
                kept, numbered -> numbered.event().size(), numbered -> change(epoch, numbered));
    }

    /** Whether the topic holds this key's changes. */
    public boolean isWritten(Bytes key) {
        return keys.isStored(key);
    }

    private MirrorEntry change(long epoch, Numbered numbered) {
        return switch (numbered.event()) {
            case KeyChange.Put(KeyValue keyValue, _) ->
                    put(epoch, keyValue, numbered.index(), false);
            case KeyChange.Delete(Bytes key, long revision, _) ->
                    new MirrorEntry(
                            key,
                            MirroredKeys.isReserved(key)
                                    ? null
                                    : new Change.Delete(epoch, revision, numbered.index(), key),
                            null);
        };
    }

    private MirrorEntry put(long epoch, KeyValue keyValue, int index, boolean listed) {
        Bytes key = keyValue.key();
        if (MirroredKeys.isReserved(key)) {
            String why = "the mirror reserves such keys for its control records";
            boolean secret =
                    SecretValues.isSecret(keyValue.value().array(), 0, keyValue.value().length());
            boolean ruled = !redactor.isEmpty() && redactor.ofValue(keyValue.value()) != 0;
            UnreadableReason reason = UnreadableReason.RESERVED_KEY;
            return new MirrorEntry(
                    key,
                    null,
                    letter(epoch, keyValue, reason, why(why, reason, secret), secret || ruled));
        }
        if (!keyValue.problem().isEmpty()) {
            return undecrypted(epoch, keyValue, index, listed);
        }
        ClassifiedValue read = reader.read(key, keyValue.value(), keyValue.modRevision());
        boolean secret = keys.keys().isSecret(key) || isSecret(read, keyValue.value());
        if (secret && !keys.includeSecrets()) {
            return withheld(epoch, keyValue, index, listed);
        }
        RedactedValue redacted =
                RedactedValue.of(redactor, key, keyValue.value(), read, maxRecordBytes);
        read = redacted.read();
        boolean withoutValue = secret || redacted.ruled();
        Bytes value =
                read instanceof ClassifiedValue.KubernetesObject(Bytes json)
                        ? json
                        : redacted.ruled() ? Bytes.EMPTY : keyValue.value();
        long size = (long) key.length() + value.length() + OVERHEAD;
        long most = size + size / BYTES_PER_ADDED_BYTE;
        if (most > maxRecordBytes) {
            String why =
                    "up to %,d bytes in a batch, the topic's limit is %,d"
                            .formatted(most, maxRecordBytes);
            read = new ClassifiedValue.Unreadable(UnreadableReason.TOO_LARGE, why);
            value = Bytes.EMPTY;
        }
        MirrorEntry mirrored =
                mirrored(epoch, keyValue, index, listed, read, value, secret, withoutValue);
        return secret ? sealed(mirrored) : mirrored;
    }

    /** A Secret that a followed Tidemark could not decrypt: unreadable, for the same reason. */
    private MirrorEntry undecrypted(long epoch, KeyValue keyValue, int index, boolean listed) {
        if (!keys.includeSecrets()) {
            return withheld(epoch, keyValue, index, listed);
        }
        ClassifiedValue read =
                new ClassifiedValue.Unreadable(UnreadableReason.ENCRYPTED, keyValue.problem());
        return sealed(mirrored(epoch, keyValue, index, listed, read, Bytes.EMPTY, false, true));
    }

    private MirrorEntry sealed(MirrorEntry mirrored) {
        return sealer.isPresent() && mirrored.change() instanceof Change.Put put
                ? new MirrorEntry(mirrored.key(), sealer.get().seal(put), mirrored.deadLetter())
                : mirrored;
    }

    private static MirrorEntry mirrored(
            long epoch,
            KeyValue keyValue,
            int index,
            boolean listed,
            ClassifiedValue read,
            Bytes value,
            boolean secret,
            boolean withoutValue) {
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
                            letter(
                                    epoch,
                                    keyValue,
                                    reason,
                                    why(why, reason, secret),
                                    withoutValue));
        };
    }

    private static boolean isSecret(ClassifiedValue read, Bytes stored) {
        return read instanceof ClassifiedValue.KubernetesObject(Bytes json)
                ? SecretValues.isSecretObject(json.array(), 0, json.length())
                : SecretValues.isSecret(stored.array(), 0, stored.length());
    }

    /** A placeholder without value: it replaces the key's previous value, and reveals nothing. */
    private static MirrorEntry withheld(long epoch, KeyValue keyValue, int index, boolean listed) {
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
            KeyValue keyValue,
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

    /** A decoder's message may quote the value: for a Secret it is left out, too. */
    private static String why(String why, UnreadableReason reason, boolean secret) {
        return secret ? "a Secret that cannot be decoded: " + reason.label() : why;
    }

    private static DeadLetter letter(
            long epoch,
            KeyValue keyValue,
            UnreadableReason reason,
            String why,
            boolean withoutValue) {
        return new DeadLetter(
                epoch,
                keyValue.modRevision(),
                keyValue.key(),
                withoutValue ? Bytes.EMPTY : keyValue.value(),
                keyValue.value().length(),
                reason,
                why);
    }
}
