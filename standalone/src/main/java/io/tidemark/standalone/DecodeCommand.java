package io.tidemark.standalone;

import io.tidemark.client.OutputException;
import io.tidemark.json.JsonIndenter;
import io.tidemark.record.Bytes;
import io.tidemark.standalone.decode.ValueDecoding;
import io.tidemark.standalone.decode.ValueDecoding.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code tidemark decode}: prints the JSON of one stored value. */
@Command(
        name = "decode",
        header = "Prints the JSON of one value as Kubernetes stores it in etcd.",
        description = {
            "",
            "Reads Kubernetes' protobuf, or JSON, from standard input. Prints the object in its"
                    + " stored",
            "version, as an API server would, but without what is not in the value, such as its"
                    + " resourceVersion.",
            "For a value that cannot be decoded, prints one line with the reason; exit code 1.",
            "",
            "Examples:",
            "  etcdctl get /registry/pods/default/web --print-value-only | tidemark decode"
                    + " --pretty",
            "  etcdctl get /registry/pods/default/web -w json | jq -r '.kvs[0].value' |",
            "      tidemark decode --base64",
            ""
        })
final class DecodeCommand implements Callable<Integer> {
    /** More than the largest decodable value takes in base64 with line breaks. */
    private static final int MAX_INPUT_BYTES = 16 << 20;

    private final InputStream in;
    private final PrintStream out;

    @Spec private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Read the value from a file instead of standard input.")
    private @Nullable Path file;

    @Option(
            names = "--base64",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "The input is the value in base64; whitespace is ignored.")
    private boolean base64;

    @Option(
            names = "--pretty",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Print one member per line, indented.")
    private boolean pretty;

    DecodeCommand() {
        this(System.in, System.out);
    }

    /** For tests. */
    DecodeCommand(InputStream in, PrintStream out) {
        this.in = in;
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        byte[] input = read();
        return switch (new ValueDecoding().decode(base64 ? decoded(input) : Bytes.wrap(input))) {
            case Outcome.Json(Bytes json, int unknownFields) -> {
                print(pretty ? Bytes.wrap(JsonIndenter.indented(json.array())) : json);
                if (unknownFields > 0) {
                    say(
                            unknownFields
                                    + " unknown fields were left out: the cluster is newer than"
                                    + " Tidemark's schemas");
                }
                yield 0;
            }
            case Outcome.Refused(String why) -> {
                say(why);
                yield 1;
            }
        };
    }

    private void print(Bytes json) {
        out.write(json.array(), 0, json.length());
        out.write('\n');
        if (out.checkError()) { // Which flushes: a PrintStream throws nothing.
            throw new OutputException();
        }
    }

    private void say(String what) {
        spec.commandLine().getErr().println(spec.qualifiedName() + ": " + what);
        spec.commandLine().getErr().flush();
    }

    private byte[] read() throws IOException {
        if (file == null) {
            return bounded(in);
        }
        try (InputStream opened = Files.newInputStream(file)) {
            return bounded(opened);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static byte[] bounded(InputStream input) throws IOException {
        byte[] bytes = input.readNBytes(MAX_INPUT_BYTES + 1);
        if (bytes.length > MAX_INPUT_BYTES) {
            throw new IOException("too_large: more than %,d bytes".formatted(MAX_INPUT_BYTES));
        }
        return bytes;
    }

    private static Bytes decoded(byte[] input) throws IOException {
        String text = new String(input, StandardCharsets.ISO_8859_1).replaceAll("\\s", "");
        try {
            return Bytes.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IOException("the input is not base64: " + e.getMessage(), e);
        }
    }
}
