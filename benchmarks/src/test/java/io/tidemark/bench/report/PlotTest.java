package io.tidemark.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.load.Latency;
import io.tidemark.bench.load.Measurement;
import io.tidemark.bench.load.SendReference;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PlotTest {
    private final List<Measurement> measurements = new ArrayList<>();
    private final Map<String, String> titles = new LinkedHashMap<>();

    private void measured(String workload, String target, long cpuMillis) {
        measurements.add(
                new Measurement(
                        target,
                        workload,
                        1,
                        "request",
                        1,
                        1,
                        0,
                        0,
                        "",
                        cpuMillis,
                        0,
                        0,
                        0,
                        Latency.NONE));
        titles.putIfAbsent(workload, "title of " + workload);
    }

    private String cpu() {
        return Plot.cpu(new ResultFile("", Map.of(), titles, measurements));
    }

    /** Fails unless it is well-formed. */
    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(svg)));
    }

    private static List<Element> all(Document svg, String name) {
        NodeList found = svg.getElementsByTagNameNS("http://www.w3.org/2000/svg", name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    /** Of bars; the first rectangle is the background. */
    private static List<String> bars(Document svg, String attribute) {
        return all(svg, "rect").stream().skip(1).map(each -> each.getAttribute(attribute)).toList();
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }

    @Test
    void isAnImageOfAKnownSizeOnWhite() throws Exception {
        measured("list", "a", 10);

        Document svg = parsed(cpu());

        Element root = svg.getDocumentElement();
        String width = root.getAttribute("width");
        String height = root.getAttribute("height");
        assertThat(root.getAttribute("viewBox")).isEqualTo("0 0 " + width + " " + height);
        assertThat(root.getAttribute("font-family")).isNotEmpty();
        Element background = all(svg, "rect").getFirst();
        assertThat(background.getAttribute("width")).isEqualTo(width);
        assertThat(background.getAttribute("height")).isEqualTo(height);
        assertThat(background.getAttribute("fill")).isEqualTo("#fff");
    }

    @Test
    void barsOfOneWorkloadHaveOneScale() throws Exception {
        measured("list", "a", 1000);
        measured("list", "b", 250);
        measured("get", "a", 2);
        measured("get", "b", 1);

        assertThat(bars(parsed(cpu()), "width"))
                .containsExactly("420.0", "105.0", "420.0", "210.0");
    }

    @Test
    void cpuTimesNameTheirUnit() throws Exception {
        measured("list", "a", 2);

        assertThat(all(parsed(cpu()), "text").getLast().getTextContent())
                .isEqualTo("2.00 ms per request");
    }

    @Test
    void theMachineTakesNoServersColor() throws Exception {
        measured("list", "a", 10);
        List<String> without = bars(parsed(cpu()), "fill");
        measurements.clear();
        measured(SendReference.WORKLOAD, SendReference.MACHINE, 10);
        measured("list", "a", 10);

        assertThat(bars(parsed(cpu()), "fill")).hasSize(2).containsAll(without);
    }

    @Test
    void labelsEndBeforeTheBars() throws Exception {
        measured("list", "a".repeat(200), 10);
        measured("get", "b", 10);

        Document svg = parsed(cpu());

        double bars = number(all(svg, "rect").get(1), "x");
        List<Element> labels =
                all(svg, "text").stream()
                        .filter(each -> each.getAttribute("text-anchor").equals("end"))
                        .toList();
        assertThat(labels)
                .hasSize(2)
                .allSatisfy(each -> assertThat(number(each, "x")).isLessThan(bars))
                .allSatisfy(each -> assertThat(each.getTextContent()).hasSizeLessThan(80));
        assertThat(labels.getFirst().getTextContent())
                .startsWith("title of list, aaa")
                .endsWith("…");
        // The whole one, as a tooltip.
        assertThat(all(svg, "title").get(1).getTextContent()).contains("a".repeat(200));
        assertThat(number(svg.getDocumentElement(), "width")).isLessThan(1_200);
    }

    @Test
    void everythingIsInsideTheImage() throws Exception {
        for (int workload = 0; workload < 20; workload++) {
            measured("workload-" + workload, "a", 10 + workload);
        }

        Document svg = parsed(cpu());

        double height = number(svg.getDocumentElement(), "height");
        double width = number(svg.getDocumentElement(), "width");
        assertThat(all(svg, "rect").stream().skip(1))
                .hasSize(20)
                .allSatisfy(each -> {
                    assertThat(number(each, "y") + number(each, "height")).isLessThan(height);
                    assertThat(number(each, "x") + number(each, "width")).isLessThan(width);
                });
    }

    @Test
    void namesAreEscaped() throws Exception {
        measured("list", "a<b>&\"'\u0001", 10);

        String svg = cpu();

        assertThat(svg).contains("title of list, a&lt;b&gt;&amp;\"' </text>");
        assertThat(all(parsed(svg), "title").get(1).getTextContent())
                .isEqualTo("title of list, a<b>&\"' ");
    }

    @Test
    void saysWhenNothingWasMeasured() throws Exception {
        measured("list", "a", 0);

        Document svg = parsed(cpu());

        assertThat(bars(svg, "width")).isEmpty();
        assertThat(all(svg, "text").getLast().getTextContent()).isEqualTo("not measured");
    }
}
