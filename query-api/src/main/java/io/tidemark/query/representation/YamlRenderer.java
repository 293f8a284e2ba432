package io.tidemark.query.representation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.query.json.GoJson;
import io.tidemark.view.object.StoredObject;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;

/** Block YAML with sorted members. Watch events have no YAML form and are JSON. */
final class YamlRenderer extends Renderer {
    private YamlWriter writer = new YamlWriter();
    private List<String> after = List.of();
    private ObjectNode envelope = GoJson.NODES.objectNode();
    private boolean any;

    YamlRenderer(Content content) {
        super(content);
    }

    @Override
    public byte[] listStart(ListMeta meta) {
        byte[] document =
                GoJson.joined(content.listHead(meta), content.emptyItems(), content.listTail());
        envelope = (ObjectNode) GoJson.read(document);
        writer = new YamlWriter();
        any = false;
        List<String> names = YamlWriter.sortedNames(envelope);
        int items = names.indexOf(content.itemsMember());
        after = names.subList(items + 1, names.size());
        writer.startMapping();
        names.subList(0, items).forEach(this::member);
        writer.name(content.itemsMember());
        return writer.taken();
    }

    @Override
    public void listItem(StoredObject object, OutputStream out) throws IOException {
        content.item(object).ifPresent(this::item);
        out.write(writer.taken());
    }

    @Override
    public byte[] listEnd() {
        content.deferredItems().forEach(this::item);
        if (any) {
            writer.endSequence();
        } else {
            writer.value(envelope.path(content.itemsMember()));
        }
        after.forEach(this::member);
        writer.endMapping();
        writer.end();
        return writer.taken();
    }

    private void item(byte[] json) {
        if (!any) {
            writer.startSequence();
            any = true;
        }
        writer.value(GoJson.read(json));
    }

    private void member(String name) {
        JsonNode value = envelope.path(name);
        writer.name(name);
        writer.value(value);
    }

    @Override
    public Optional<byte[]> single(StoredObject object) {
        return content.single(object).map(YamlWriter::document);
    }
}
