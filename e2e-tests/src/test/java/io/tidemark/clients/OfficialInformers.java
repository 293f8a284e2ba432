package io.tidemark.clients;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.CallGenerator;
import io.kubernetes.client.util.ClientBuilder;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.credentials.AccessTokenAuthentication;
import io.kubernetes.client.util.credentials.ClientCertificateAuthentication;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesApi;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import okhttp3.Interceptor;
import okhttp3.Protocol;

/** Informers of Kubernetes' own Java client, {@code io.kubernetes:client-java}. */
final class OfficialInformers implements InformerClient {
    private final ApiClient client;
    private final List<SharedInformerFactory> factories = new ArrayList<>();
    private final Map<WatchedView, SharedIndexInformer<? extends KubernetesObject>> informers =
            new EnumMap<>(WatchedView.class);
    private final ClientErrors complaints = new ClientErrors();
    private final AtomicLong lists = new AtomicLong();
    private final AtomicLong watches = new AtomicLong();
    private final AtomicLong events = new AtomicLong();

    OfficialInformers(Login login, Set<WatchedView> views) throws IOException {
        client = client(login);
        client.setHttpClient(
                client.getHttpClient()
                        .newBuilder()
                        .readTimeout(Duration.ZERO)
                        .addInterceptor(this::count)
                        .build());
        CoreV1Api core = new CoreV1Api(client);
        for (WatchedView view : views) {
            follow(core, view);
        }
        factories.forEach(SharedInformerFactory::startAllRegisteredInformers);
    }

    private static ApiClient client(Login login) throws IOException {
        if (login.ca() == null) {
            return Config.fromUrl(login.url(), false);
        }
        ClientBuilder builder =
                new ClientBuilder()
                        .setBasePath(login.url())
                        .setVerifyingSsl(true)
                        .setCertificateAuthority(Files.readAllBytes(login.ca()))
                        .setProtocols(
                                login.http2()
                                        ? List.of(Protocol.HTTP_2, Protocol.HTTP_1_1)
                                        : List.of(Protocol.HTTP_1_1));
        return builder.setAuthentication(
                        login.token() == null
                                ? new ClientCertificateAuthentication(
                                        Files.readAllBytes(login.certificate()),
                                        Files.readAllBytes(login.key()))
                                : new AccessTokenAuthentication(login.token()))
                .build();
    }

    private void follow(CoreV1Api core, WatchedView view) {
        switch (view) {
            case CONFIG_MAPS ->
                    configMaps(
                            view,
                            with ->
                                    core.listConfigMapForAllNamespaces()
                                            .resourceVersion(with.resourceVersion)
                                            .timeoutSeconds(with.timeoutSeconds)
                                            .watch(with.watch)
                                            .buildCall(null));
            case ONE_NAMESPACE ->
                    configMaps(
                            view,
                            with ->
                                    core.listNamespacedConfigMap(Changes.NAMESPACE)
                                            .resourceVersion(with.resourceVersion)
                                            .timeoutSeconds(with.timeoutSeconds)
                                            .watch(with.watch)
                                            .buildCall(null));
            case PODS, LABELLED_PODS -> pods(core, view);
            case BUOYS ->
                    add(
                            view,
                            factory()
                                    .sharedIndexInformerFor(
                                            new DynamicKubernetesApi(
                                                    Changes.GROUP, "v1", "buoys", client),
                                            DynamicKubernetesObject.class,
                                            0,
                                            "",
                                            complains(view)));
        }
    }

    @Override
    public int statusOfList(String namespace) {
        try {
            return new CoreV1Api(client)
                    .listNamespacedConfigMap(namespace)
                    .executeWithHttpInfo()
                    .getStatusCode();
        } catch (ApiException e) {
            return e.getCode();
        }
    }

    /** One factory has one informer of a type. */
    private SharedInformerFactory factory() {
        SharedInformerFactory factory = new SharedInformerFactory(client);
        factories.add(factory);
        return factory;
    }

    private void configMaps(WatchedView view, CallGenerator calls) {
        add(
                view,
                factory()
                        .sharedIndexInformerFor(
                                calls,
                                V1ConfigMap.class,
                                V1ConfigMapList.class,
                                0,
                                complains(view)));
    }

    private void pods(CoreV1Api core, WatchedView view) {
        String selector = view.labelSelector().isEmpty() ? null : view.labelSelector();
        add(
                view,
                factory()
                        .sharedIndexInformerFor(
                                with ->
                                        core.listPodForAllNamespaces()
                                                .labelSelector(selector)
                                                .resourceVersion(with.resourceVersion)
                                                .timeoutSeconds(with.timeoutSeconds)
                                                .watch(with.watch)
                                                .buildCall(null),
                                V1Pod.class,
                                V1PodList.class,
                                0,
                                complains(view)));
    }

    private <T extends KubernetesObject> void add(
            WatchedView view, SharedIndexInformer<T> informer) {
        informer.addEventHandler(new Counter<>(events));
        informers.put(view, informer);
    }

    private <T> BiConsumer<Class<T>, Throwable> complains(WatchedView view) {
        return (_, failure) -> complaints.report(view.toString(), failure);
    }

    private okhttp3.Response count(Interceptor.Chain chain) throws IOException {
        boolean watch = "true".equals(chain.request().url().queryParameter("watch"));
        (watch ? watches : lists).incrementAndGet();
        return chain.proceed(chain.request());
    }

    @Override
    public String name() {
        return "io.kubernetes client-java";
    }

    @Override
    public Set<WatchedView> views() {
        return informers.keySet();
    }

    @Override
    public Map<String, String> contents(WatchedView view) {
        Map<String, String> versions = new TreeMap<>();
        for (KubernetesObject object : informers.get(view).getIndexer().list()) {
            versions.put(
                    object.getMetadata().getNamespace() + "/" + object.getMetadata().getName(),
                    object.getMetadata().getResourceVersion());
        }
        return versions;
    }

    @Override
    public ClientErrors errors() {
        return complaints;
    }

    @Override
    public Traffic traffic() {
        return new Traffic(lists.get(), watches.get(), events.get());
    }

    @Override
    public void close() {
        factories.forEach(factory -> factory.stopAllRegisteredInformers(true));
    }

    private record Counter<T extends KubernetesObject>(AtomicLong events)
            implements ResourceEventHandler<T> {
        @Override
        public void onAdd(T object) {
            events.incrementAndGet();
        }

        @Override
        public void onUpdate(T before, T object) {
            events.incrementAndGet();
        }

        @Override
        public void onDelete(T object, boolean stateUnknown) {
            events.incrementAndGet();
        }
    }
}
