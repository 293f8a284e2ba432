package io.tidemark.standalone.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.connector.topic.TopicSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class KafkaRightTest {
    private static final Path PAGE = Path.of("..", "docs", "real-cluster.md");
    private static final Pattern COMMAND = Pattern.compile("^acl --allow-principal User:(.*)$");

    /** The page lists exactly the rights that doctor checks. */
    @Test
    void thePageListsTheRights() throws IOException {
        List<String> listed =
                Files.readString(PAGE)
                        .replace("\\\n", " ")
                        .lines()
                        .map(COMMAND::matcher)
                        .filter(matcher -> matcher.matches())
                        .map(matcher -> matcher.group(1).replaceAll(" +", " "))
                        .toList();
        assertThat(listed)
                .containsExactlyElementsOf(
                        KafkaRight.of(TopicSettings.DEFAULT, "tidemark").stream()
                                .map(KafkaRightTest::command)
                                .toList());
    }

    private static String command(KafkaRight right) {
        String advice = right.advice(right.operations());
        String options = advice.substring(advice.indexOf("User:NAME ") + "User:NAME ".length());
        return right.role().name().toLowerCase(Locale.ROOT) + " " + options;
    }
}
