package io.tidemark.standalone.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Command line, then variable, then file, then default. */
class OptionPrecedenceTest {
    @TempDir Path directory;

    private Path file;

    @Command(name = "test")
    private static final class Options {
        @Mixin private MirrorOptions mirror = new MirrorOptions();

        @Option(names = "--flag", arity = "0..1", fallbackValue = "true")
        private boolean flag;
    }

    @BeforeEach
    void writeFile() throws Exception {
        file = Files.writeString(directory.resolve("f"), "topic=of-file\nflag=true\nother=1\n");
    }

    @Test
    void commandLineWins() {
        assertThat(topic(Map.of("TIDEMARK_TOPIC", "of-variable"), "--topic", "of-line"))
                .isEqualTo("of-line");
    }

    @Test
    void variableWinsOverTheFile() {
        assertThat(topic(Map.of("TIDEMARK_TOPIC", "of-variable"))).isEqualTo("of-variable");
    }

    @Test
    void ignoresABlankVariable() {
        assertThat(topic(Map.of("TIDEMARK_TOPIC", " "))).isEqualTo("of-file");
    }

    @Test
    void fileWinsOverTheDefault() {
        assertThat(topic(Map.of())).isEqualTo("of-file");
    }

    @Test
    void variableMayNameTheFile() {
        Options options = parse(Map.of("TIDEMARK_CONFIG", file.toString()));

        assertThat(options.mirror.topic()).isEqualTo("of-file");
    }

    @Test
    void usesTheDefaultWithoutASetting() {
        assertThat(parse(Map.of()).mirror.topic()).isEqualTo("tidemark");
    }

    @Test
    void flagsHaveTheSameValuesInAllSources() {
        assertThat(parse(Map.of()).flag).isFalse();
        assertThat(parse(Map.of(), "--flag").flag).isTrue();
        assertThat(parse(Map.of("TIDEMARK_FLAG", "true")).flag).isTrue();
        assertThat(parse(Map.of("TIDEMARK_FLAG", "true"), "--flag").flag).isTrue();
        assertThat(parse(Map.of("TIDEMARK_FLAG", "true"), "--flag=false").flag).isFalse();
        assertThat(parse(Map.of(), "--config=" + file).flag).isTrue();
    }

    private String topic(Map<String, String> environment, String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = "--config=" + file;
        return parse(environment, all).mirror.topic();
    }

    private static Options parse(Map<String, String> environment, String... arguments) {
        Options options = new Options();
        CommandLine commandLine = new CommandLine(options);
        commandLine.getCommandSpec().addOption(SettingSources.configOption());
        commandLine.setDefaultValueProvider(
                SettingSources.of(Arrays.asList(arguments), environment));
        commandLine.parseArgs(arguments);
        return options;
    }
}
