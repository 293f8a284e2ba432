package io.tidemark.query.encode;

import io.tidemark.kubernetes.encode.KubernetesEncoder;
import io.tidemark.kubernetes.wire.ProtobufWriter;
import io.tidemark.query.catalog.Resource;
import io.tidemark.query.representation.Representation;
import io.tidemark.query.representation.Representation.Format;
import io.tidemark.query.representation.Representation.View;
import io.tidemark.serving.read.ByteBudget;
import io.tidemark.serving.watch.event.EventEncoder;
import io.tidemark.view.object.Projection;
import io.tidemark.view.object.StoredObject;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Copies messages out of {@link StoredEnvelope envelopes}.
 *
 * @param form protobuf, of whole objects or of metadata
 */
public record EnvelopeObjects(Resource resource, Representation form) implements ObjectMessages {
    /** A bookmark has nothing but metadata. */
    private static final Representation METADATA =
            new Representation(
                    Format.PROTOBUF, new View.Metadata("meta.k8s.io/v1", false), false, false);

    /**
     * An encoder for one list.
     *
     * @param memory of the response, for what the encoder holds
     */
    public ListEncoder list(ByteBudget.Share memory) {
        return new ProtobufListEncoder(this, memory);
    }

    /** An encoder for one watch. */
    public EventEncoder events() {
        return new ProtobufEventEncoder(
                () -> List.of(form, resource.apiVersion(), resource.kind()),
                this,
                !form.isOfLists());
    }

    @Override
    public Projection projection() {
        return Projection.WHOLE;
    }

    @Override
    public Projection lengthProjection() {
        return Projection.WHOLE;
    }

    @Override
    public int keptLength(StoredObject object) {
        return -1;
    }

    @Override
    public boolean isWhole() {
        return !(form.view() instanceof View.Metadata);
    }

    @Override
    public String apiVersion() {
        return form.view() instanceof View.Metadata metadata
                ? metadata.apiVersion()
                : resource.apiVersion();
    }

    @Override
    public String kind() {
        return isWhole() ? resource.kind() : PARTIAL;
    }

    @Override
    public boolean write(StoredObject object, long resourceVersion, ProtobufWriter out) {
        Optional<StoredEnvelope> stored =
                StoredEnvelope.of(object)
                        .filter(each -> each.is(resource.apiVersion(), resource.kind()));
        stored.ifPresent(envelope -> {
            if (isWhole()) {
                envelope.write(resourceVersion, out);
            } else {
                envelope.writeMetadata(resourceVersion, out);
            }
        });
        return stored.isPresent();
    }

    @Override
    public byte[] bookmark(long resourceVersion, boolean initialEventsEnd) {
        byte[] json =
                METADATA.renderer(resource, InstantSource.system())
                        .bookmark(resourceVersion, initialEventsEnd);
        return KubernetesEncoder.ofMessage("meta.v1." + PARTIAL)
                .object(apiVersion(), kind(), json, 0, 0);
    }
}
