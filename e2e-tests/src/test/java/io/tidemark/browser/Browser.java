package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's Chromium without a window. */
final class Browser implements AutoCloseable {
    private static final Path BINARY = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Pattern BUSY = Pattern.compile("with a status of (429|503|504) ");

    /** For a start and for a script. */
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts one, or skips the test on a machine without it. */
    static Browser startOrSkip(Path profile) {
        assumeTrue(
                Files.isExecutable(BINARY) && Files.isExecutable(DRIVER),
                "needs Debian's packages chromium and chromium-driver");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BINARY.toFile());
        options.setCapability("goog:loggingPrefs", logs);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--user-data-dir=" + profile);
        ChromeDriverService service =
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .withTimeout(LONGEST)
                        .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.driver.manage().timeouts().scriptTimeout(LONGEST);
        browser.size(1300, 900);
        return browser;
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** Opens an address, also one that differs from the last one after its hash only. */
    void open(String url) {
        leave();
        driver.get(url);
    }

    /** Leaves the page, which then asks its node nothing more. */
    void leave() {
        driver.get("about:blank");
    }

    String url() {
        return Objects.requireNonNull(driver.getCurrentUrl());
    }

    /** Text in sight. */
    String text(String css) {
        List<WebElement> found = driver.findElements(By.cssSelector(css));
        return found.isEmpty() ? "" : found.getFirst().getText();
    }

    int count(String css) {
        return driver.findElements(By.cssSelector(css)).size();
    }

    /** Waits for an element with a text. */
    void await(String css, String text) {
        Awaitility.await()
                .ignoreException(StaleElementReferenceException.class)
                .untilAsserted(
                        () -> assertThat(texts(css)).as(css).anyMatch(each -> each.contains(text)));
    }

    List<String> texts(String css) {
        return driver.findElements(By.cssSelector(css)).stream().map(WebElement::getText).toList();
    }

    /** Clicks the first element whose text contains this. */
    void click(String css, String text) {
        await(css, text);
        Awaitility.await()
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    for (WebElement each : driver.findElements(By.cssSelector(css))) {
                        if (each.getText().contains(text)) {
                            each.click();
                            return true;
                        }
                    }
                    return false;
                });
    }

    void type(String css, String text) {
        WebElement input = driver.findElement(By.cssSelector(css));
        input.clear();
        input.sendKeys(text);
    }

    void press(String keys) {
        driver.findElement(By.cssSelector("body")).sendKeys(keys);
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** Runs a script that gives its result to the function that is its last argument. */
    Object runAsync(String script, Object... arguments) {
        return driver.executeAsyncScript(script, arguments);
    }

    void theme(String name) {
        run("document.documentElement.dataset.theme = arguments[0]", name);
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /**
     * What axe finds to be serious or worse, each in a line.
     *
     * @param rules those of axe that it checks; none are all
     */
    List<String> seriousFindings(String... rules) throws IOException {
        try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
            run(new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8));
        }
        Object answer =
                driver.executeAsyncScript(
                        """
                        const done = arguments[arguments.length - 1];
                        const options = arguments[0].length ? { runOnly: { type: 'rule', values: arguments[0] } } : {};
                        axe.run(options).then((results) => done(results.violations
                          .filter((each) => ['serious', 'critical'].includes(each.impact))
                          .map((each) => each.id + ': ' + each.nodes.slice(0, 3)
                            .map((node) => node.html.slice(0, 160)).join(' | '))));
                        """,
                        List.of(rules));
        List<String> findings = new ArrayList<>();
        if (answer instanceof List<?> all) {
            all.forEach(each -> findings.add(String.valueOf(each)));
        }
        return findings;
    }

    /**
     * Errors that the page or the browser has logged since the last call, without answers of a busy
     * node, after which the page asks again.
     */
    List<String> errors() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(LogEntry::toString)
                .filter(entry -> !BUSY.matcher(entry).find())
                .toList();
    }

    /** Bytes of all loaded files of a path, as they came over the network. */
    long loadedBytes(String path) {
        Object bytes =
                run(
                        """
                        return performance.getEntriesByType('resource')
                          .filter((each) => each.name.includes(arguments[0]))
                          .reduce((sum, each) => sum + each.transferSize, 0);
                        """,
                        path);
        return ((Number) Objects.requireNonNull(bytes)).longValue();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
