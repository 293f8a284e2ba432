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

        assertThat(SkippedTests.skipped(project))
                .containsExactly(
                        "ATest.needsTool: needs gcc",
                        "BIT.noEngine: there is no engine",
                        "BIT.unexplained: no reason given");
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
