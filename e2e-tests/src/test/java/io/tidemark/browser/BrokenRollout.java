package io.tidemark.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tidemark.harness.Security;
import io.tidemark.harness.TestEtcd;
import io.tidemark.harness.TidemarkProcess;
import io.tidemark.record.Bytes;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A rollout that goes wrong, mirrored by a node, and the browser that shows it. */
final class BrokenRollout implements AutoCloseable {
    /** Of the address that shows the Deployment. */
    static final String DEPLOYMENT = "#object?resource=deployments.apps&namespace=shop&name=web";

    /** A value of the ConfigMap {@code hostile}, with more after it. */
    static final String MARKUP = "<img src=x onerror=window.hacked=1><script>hacked=2</script>";

    private @Nullable Browser page;
    private @Nullable TestEtcd etcd;
    private @Nullable TidemarkProcess node;
    private long firstDeployed;

    /**
     * Starts it all, or skips the test without a browser. What has started when it fails is closed
     * with the rest.
     *
     * @param configMaps further objects, which do not change
     */
    void startOrSkip(Path folder, int configMaps) throws Exception {
        assumeTrue(Security.ofRun() == Security.PLAIN, "the browser has no certificate");
        page = Browser.startOrSkip(folder.resolve("profile"));
        etcd = new TestEtcd(folder.resolve("outside"));
        etcd.putConfigMaps(configMaps, "v");
        put("/registry/namespaces/shop", "v1", "Namespace", "shop", "", "");
        deployment("web:1", "helm");
        firstDeployed = beforeTheDeletion();
        put(
                "/registry/replicasets/shop/web-1",
                "apps/v1",
                "ReplicaSet",
                "web-1",
                owner("Deployment", "web"),
                "");
        put(
                "/registry/pods/shop/web-1-a",
                "v1",
                "Pod",
                "web-1-a",
                owner("ReplicaSet", "web-1"),
                "");
        put(
                "/registry/events/shop/web-1-a.1",
                "v1",
                "Event",
                "web-1-a.1",
                "",
                """
                ,"type":"Warning","reason":"BackOff","involvedObject":{"apiVersion":"v1",
                 "kind":"Pod","namespace":"shop","name":"web-1-a"}\
                """);
        node = TidemarkProcess.up(folder.resolve("data"), etcd.endpoint(), "--insecure");
        deployment("web:broken", "kubectl-edit");
        etcd.client().delete(Bytes.utf8("/registry/pods/shop/web-1-a"));
        hostile("harmless");
        hostile(MARKUP + "\u202e" + "\u0007" + "x".repeat(600_000));
    }

    private static String owner(String kind, String name) {
        return ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"%s\",\"name\":\"%s\",\"controller\":true,\"uid\":\"u\"}]"
                .formatted(kind, name);
    }

    private void deployment(String image, String manager) {
        put(
                "/registry/deployments/shop/web",
                "apps/v1",
                "Deployment",
                "web",
                """
                ,"managedFields":[{"manager":"%s","operation":"Update","time":"%s",
                 "fieldsV1":{"f:spec":{"f:template":{"f:spec":{"f:containers":
                  {"k:{\\"name\\":\\"web\\"}":{"f:image":{}}}}}}}}]\
                """
                        .formatted(manager, Instant.now()),
                ",\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"image\":\"%s\"}]}}}"
                        .formatted(image));
    }

    private void hostile(String value) {
        put(
                "/registry/configmaps/shop/hostile",
                "v1",
                "ConfigMap",
                "hostile",
                "",
                ",\"data\":{\"<b>key</b>\":\"%s\"}".formatted(value.replace("\u0007", "\\u0007")));
    }

    /**
     * Puts an object of the namespace.
     *
     * @param metadata members after its namespace, each with a comma before it
     * @param rest members after the metadata, in the same way
     */
    void put(String key, String version, String kind, String name, String metadata, String rest) {
        String namespace = kind.equals("Namespace") ? "" : ",\"namespace\":\"shop\"";
        etcd().client()
                .put(
                        Bytes.utf8(key),
                        Bytes.utf8(
                                "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"%s%s}%s}"
                                        .formatted(
                                                version, kind, name, namespace, metadata, rest)));
    }

    Browser page() {
        return started(page);
    }

    TestEtcd etcd() {
        return started(etcd);
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("not started");
        }
        return part;
    }

    /** The revision of the first Deployment. */
    long firstDeployed() {
        return firstDeployed;
    }

    /** The revision of the Deployment as it is: the Pod is deleted after it. */
    long beforeTheDeletion() {
        return etcd().client()
                .get(Bytes.utf8("/registry/deployments/shop/web"))
                .orElseThrow()
                .modRevision();
    }

    /** Loads the page with a view of the console; returns it. */
    Browser open(String hash) {
        Browser opened = page();
        opened.open("http://127.0.0.1:%d/ui/%s".formatted(started(node).address().getPort(), hash));
        return opened;
    }

    /** Loads the page with the state of the mirror, and waits until it is shown. */
    Browser openMirror() {
        Browser opened = open("#mirror");
        opened.await("h1", "The mirror");
        return opened;
    }

    /** Loads the page with all changes of the namespace, and waits until they are shown. */
    Browser openChanges() {
        Browser opened = open("#changes?namespace=shop&from=1");
        opened.await("ol.feed li", "shop/web");
        return opened;
    }

    /** Goes to another view without loading the page again. */
    void goTo(String hash) {
        page().run("location.hash = arguments[0]", hash);
    }

    /**
     * Answers some requests of the page in the place of the node, until the page is left.
     *
     * @param answer an expression of the request's {@code path}, {@code parameters} and {@code
     *     options}, which is undefined for those that the node answers
     */
    void intercept(String answer) {
        page().run(
                        """
                        window.real ??= window.fetch;
                        window.fetch = async (url, options) => {
                          const { pathname: path, searchParams: parameters } = new URL(url);
                          return (%s) ?? window.real(url, options);
                        };
                        """
                                .formatted(answer));
    }

    /** Checks what holds after every test, and makes the window as large as before. */
    void requireNothingWrong() {
        assertThat(page().errors()).isEmpty();
        assertThat(page().run("return window.hacked ?? null")).isNull();
        page().size(1300, 900);
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {page, node, etcd}) {
            if (each != null) {
                each.close();
            }
        }
    }
}
