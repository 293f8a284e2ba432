package io.tidemark.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ServerTableTest {
    private final StringWriter out = new StringWriter();
    private final Terminal terminal =
            new Terminal(new PrintWriter(out), new PrintWriter(new StringWriter()), false);

    /** A custom resource's column is null when its path finds nothing; kubectl prints nothing. */
    @Test
    void printsNothingForACellThatIsNull() throws Exception {
        JsonNode table =
                NodeApiClient.parse(
                        """
                        {"columnDefinitions":[{"name":"Name"},{"name":"Size"},{"name":"Phase"}],
                         "rows":[{"cells":["a",null,"Ready"]},{"cells":["b",2,null]}]}
                        """);

        new ServerTable(terminal, false, false, false).print(table, "");

        assertThat(out.toString())
                .isEqualTo(
                        """
                        NAME   SIZE   PHASE
                        a             Ready
                        b      2
                        """);
    }
}
