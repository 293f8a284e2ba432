package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.standalone.options.SettingSources;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

class FlagsTest {
    static Set<String> commands() {
        return TidemarkCli.commandLine().getSubcommands().keySet();
    }

    /** Without a fallback value, picocli inverts the value of the variable or the file. */
    @ParameterizedTest
    @MethodSource("commands")
    void aFlagMeansTrueAlsoWithAVariableOrAFile(String command) {
        assertThat(
                        TidemarkCli.commandLine()
                                .getSubcommands()
                                .get(command)
                                .getCommandSpec()
                                .options())
                .filteredOn(FlagsTest::isFlag)
                .allSatisfy(flag -> {
                    assertThat(flag.fallbackValue()).isEqualTo("true");
                    assertThat(flag.arity()).hasToString("0..1");
                    assertThat(flag.paramLabel()).isEqualTo("true|false");
                });
    }

    /** A flag takes only true or false as its value, not the argument after it. */
    @ParameterizedTest
    @CsvSource({
        "get -A pods, true, pods",
        "get -Aojson pods, true, pods",
        "changes --all-namespaces deploy/x, true, deploy/x",
        "changes -f -A pods, true, pods",
        "get pods -A, true, pods",
        "get pods, true, pods",
        "get -A=false pods, false, pods",
        "get -A false pods, false, pods"
    })
    void aFlagLeavesTheArgumentAfterIt(String line, boolean all, String resource) {
        String[] arguments = line.split(" ");
        ParseResult parsed =
                TidemarkCli.commandLine()
                        .setDefaultValueProvider(
                                SettingSources.of(
                                        List.of(arguments),
                                        Map.of("TIDEMARK_ALL_NAMESPACES", "true")))
                        .parseArgs(arguments)
                        .subcommand();

        OptionSpec flag = parsed.commandSpec().findOption("-A");
        assertThat(flag.<Boolean>getValue()).isEqualTo(all);
        assertThat(parsed.matchedPositionals())
                .flatExtracting(PositionalParamSpec::stringValues)
                .containsExactly(resource);
    }

    /** Not those that need a value. */
    private static boolean isFlag(OptionSpec option) {
        return (option.type() == boolean.class || option.type() == Boolean.class)
                && option.arity().min() == 0
                && !option.usageHelp()
                && !option.versionHelp();
    }
}
