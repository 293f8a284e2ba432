package io.tidemark.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.OptionSpec;

/** docs/configuration.md lists the options of each command, with the texts of its help. */
class ConfigurationReferenceTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final Pattern ROW = Pattern.compile("^\\| `(?:-\\w, )?(--[\\w-]+).*$");
    private static final Pattern DEFAULT =
            Pattern.compile("\\(default: [^()]*(\\([^()]*\\))?[^()]*\\)");

    static Stream<String> commands() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void listsTheOptionsOfACommandWithTheirHelp(String command) throws IOException {
        Map<String, String> rows = rows(command);
        List<OptionSpec> options =
                TidemarkCli.commandLine()
                        .getSubcommands()
                        .get(command)
                        .getCommandSpec()
                        .options()
                        .stream()
                        .filter(option -> !option.hidden())
                        .filter(option -> !option.usageHelp() && !option.versionHelp())
                        .toList();
        assertThat(rows.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        options.stream().map(OptionSpec::longestName).sorted().toList());
        for (OptionSpec option : options) {
            assertThat(letters(rows.get(option.longestName())))
                    .as("%s %s", command, option.longestName())
                    .contains(letters(description(option)));
        }
    }

    @ParameterizedTest
    @MethodSource("shownCommands")
    void hasASectionForEachCommandWithOptions(String command) throws IOException {
        assertThat(commands()).contains(command);
    }

    static Stream<String> shownCommands() {
        return TidemarkCli.commandLine().getSubcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .filter(name -> !name.equals("help"));
    }

    private static Map<String, String> rows(String command) throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf("\n## " + command + "\n");
        int end = page.indexOf("\n## ", begin + 1);
        String section = page.substring(begin, end < 0 ? page.length() : end);
        return section.lines()
                .map(ROW::matcher)
                .filter(Matcher::matches)
                .collect(
                        Collectors.toMap(
                                row -> row.group(1), Matcher::group, (a, _) -> a, TreeMap::new));
    }

    private static String description(OptionSpec option) {
        String text = String.join(" ", option.description()).replace("%%", "%");
        return DEFAULT.matcher(text).replaceAll("");
    }

    /** Without markup and punctuation, which the page escapes. */
    private static String letters(String text) {
        return text.replace("&lt;", "<").replaceAll("[^\\p{L}\\p{N}]", "");
    }
}
