package io.tidemark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkippedTestsTest {
    @TempDir private Path project;

    @Test
    void namesEachSkippedTestWithItsReason() throws Exception {
        report(
                "one/target/surefire-reports/TEST-a.xml",
                """
                <testsuite>
                  <testcase name="runs" classname="io.x.ATest"/>
                  <testcase name="needsTool" classname="io.x.ATest">
                    <skipped message="Assumption failed: needs gcc"><![CDATA[trace]]></skipped>
                  </testcase>
                </testsuite>
                """);
        report(
                "two/target/failsafe-reports/TEST-b.xml",
                """
                <testsuite>
                  <testcase name="unexplained" classname="BIT">
                    <skipped message="Assumption failed: assumption is not true"/>
                  </testcase>
                  <testcase name="fails" classname="BIT"><failure message="x"/></testcase>
                  <testcase name="noEngine" classname="BIT">
                    <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.\
                TestAbortedException: Assumption failed: skipped: there is no engine
                	at io.x.BIT.noEngine(BIT.java:27)
                ]]></skipped>
                  </testcase>
                </testsuite>
                """);

        assertThat(SkippedTests.lines(SkippedTests.skipped(project)))
                .containsExactly(
                        "needs gcc: ATest.needsTool",
                        "no reason given: BIT.unexplained",
                        "there is no engine: BIT.noEngine");
    }

    @Test
    void namesManyTestsOfOneReasonOnce() throws Exception {
        String skipped =
                """
                <testcase name="%s" classname="io.x.CIT"><skipped message="System property [full] with \
                value [false] does not match regular expression [true] ==&gt; only at night"/></testcase>
                """;
        String twoSkipped = skipped.formatted("a".repeat(50)) + skipped.formatted("b".repeat(50));
        report("one/target/failsafe-reports/TEST-c.xml", suite(twoSkipped));
        report(
                "two/target/failsafe-reports/TEST-d.xml",
                suite(
                        twoSkipped.replace("CIT", "DIT")
                                + "<testcase name='runs' classname='io.x.DIT'/>"));

        assertThat(SkippedTests.lines(SkippedTests.skipped(project)))
                .containsExactly(
                        "only at night: CIT, DIT." + "a".repeat(50) + ",",
                        "  DIT." + "b".repeat(50));
    }

    private static String suite(String cases) {
        return "<testsuite>" + cases + "</testsuite>";
    }

    @Test
    void findsNothingInAProjectWithoutReports() throws Exception {
        assertThat(SkippedTests.skipped(project)).isEmpty();
    }

    private void report(String path, String xml) throws Exception {
        Path file = project.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, xml);
    }
}
