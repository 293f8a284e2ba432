package io.tidemark.query.encode;

import io.tidemark.kubernetes.encode.EncodeException;
import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.catalog.ServedVersion;
import io.tidemark.query.encode.EncodedObjects.Version;
import io.tidemark.query.representation.Renderer;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.serving.status.StatusException;
import io.tidemark.serving.status.StatusException.FailureStatus;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.ProtobufForm;
import io.tidemark.view.object.StoredObject;
import java.util.List;
import java.util.Optional;

/**
 * Encodes a resource's objects as protobuf, from the JSON that they are served as, which mostly is
 * the stored one. For one thread, like its renderer.
 */
final class ProtobufObjects implements ObjectMessages {
    private final Renderer json;
    private final EncodedObjects encoded;
    private final KubernetesEncoder encoder;
    private final String apiVersion;
    private final String kind;

    /** Of the messages that stores keep. */
    private final String type;

    private final Resource resource;
    private final View view;

    private ProtobufObjects(
            Renderer json,
            EncodedObjects encoded,
            KubernetesEncoder encoder,
            String apiVersion,
            String kind,
            Resource resource,
            View view) {
        this.json = json;
        this.encoded = encoded;
        this.encoder = encoder;
        this.apiVersion = apiVersion;
        this.kind = kind;
        this.type = ProtobufForm.type(apiVersion, kind);
        this.resource = resource;
        this.view = view;
    }

    /**
     * @param view whole objects of a kind that has an encoder, or metadata
     * @param json of the same view, as compact JSON
     * @param encoded finds and keeps whole objects
     */
    static ProtobufObjects of(Resource resource, View view, Renderer json, EncodedObjects encoded) {
        return view instanceof View.Metadata metadata
                ? new ProtobufObjects(
                        json,
                        encoded,
                        KubernetesEncoder.ofMessage("meta.v1." + PARTIAL),
                        metadata.apiVersion(),
                        PARTIAL,
                        resource,
                        view)
                : new ProtobufObjects(
                        json,
                        encoded,
                        KubernetesEncoder.of(resource.apiVersion(), resource.kind()).orElseThrow(),
                        resource.apiVersion(),
                        resource.kind(),
                        resource,
                        view);
    }

    /** A message where one is kept. */
    @Override
    public Projection projection() {
        return keepsMessages() ? new Projection.Protobuf(type) : json.projection();
    }

    @Override
    public Projection lengthProjection() {
        return keepsMessages() ? new Projection.ProtobufLength(type) : json.projection();
    }

    private boolean keepsMessages() {
        return isWhole() && StoredMessages.isKept(kind);
    }

    @Override
    public int keptLength(StoredObject object) {
        return ProtobufForm.length(object, type);
    }

    @Override
    public Optional<Object> sharedForm() {
        return Optional.of(List.of(view, resource.servedForm()));
    }

    @Override
    public boolean isKept(StoredObject object) {
        return EncodedObjects.isKept(resource, object);
    }

    @Override
    public boolean areSummed() {
        return isWhole() && EncodedObjects.areKept(resource);
    }

    @Override
    public String apiVersion() {
        return apiVersion;
    }

    @Override
    public String kind() {
        return kind;
    }

    @Override
    public boolean isWhole() {
        return !(view instanceof View.Metadata);
    }

    @Override
    public boolean write(StoredObject object, long resourceVersion, ProtobufWriter out) {
        try {
            return isWhole()
                    ? writeWhole(object, resourceVersion, out)
                    : writeMetadata(object, resourceVersion, out);
        } catch (EncodeException e) {
            throw new StatusException(
                    new FailureStatus(
                            500,
                            "InternalError",
                            ("%s cannot be written as protobuf, as its stored JSON does not fit"
                                            + " %s %s: %s; request JSON")
                                    .formatted(object.key(), apiVersion, kind, e.getMessage())));
        }
    }

    private boolean writeWhole(StoredObject object, long resourceVersion, ProtobufWriter out) {
        if (ProtobufForm.isMessage(object)) {
            out.raw(object.stored(), object.valueOffset(), object.stored().length);
            return true;
        }
        if (resourceVersion != object.revision() || !isKept(object)) {
            return encodeWhole(object, resourceVersion, out);
        }
        Version version = Version.of(apiVersion, object);
        Optional<byte[]> known = encoded.find(version);
        if (known.isPresent()) {
            out.raw(known.get(), 0, known.get().length);
            return true;
        }
        int from = out.size();
        boolean written = encodeWhole(object, resourceVersion, out);
        if (written) {
            encoded.keep(version, out.copyFrom(from));
        }
        return written;
    }

    private boolean encodeWhole(StoredObject object, long resourceVersion, ProtobufWriter out) {
        return switch (ServedVersion.of(resource, object)) {
            // The members that differ, kind and apiVersion, are not in the message.
            case ServedVersion.AsStored _, ServedVersion.Renamed _ -> {
                encoder.message(object.stored(), object.valueOffset(), resourceVersion, out);
                yield true;
            }
            case ServedVersion.Converted converted -> {
                encoder.message(converted.json(resourceVersion), 0, 0, out);
                yield true;
            }
            case ServedVersion.Unservable _ -> false;
        };
    }

    private boolean writeMetadata(StoredObject object, long resourceVersion, ProtobufWriter out) {
        Optional<byte[]> partial = json.eventObject(object, resourceVersion);
        partial.ifPresent(document -> encoder.message(document, 0, 0, out));
        return partial.isPresent();
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        byte[] served = json.bookmark(resourceVersion, initialEventsEnd);
        return encoder.object(apiVersion, kind, served, 0, 0);
    }
}
