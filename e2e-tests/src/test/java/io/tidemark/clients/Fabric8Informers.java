package io.tidemark.clients;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** Informers of fabric8's kubernetes-client, with its default reactions to failures. */
final class Fabric8Informers implements InformerClient {
    /** All clients warm up at once, on few cores: its 10 s are too short then. */
    private static final int PATIENCE_MS = 60_000;

    private final KubernetesClient client;
    private final Map<WatchedView, SharedIndexInformer<? extends HasMetadata>> informers =
            new EnumMap<>(WatchedView.class);
    private final ClientErrors complaints = new ClientErrors();
    private final Requests requests = new Requests();
    private final AtomicLong events = new AtomicLong();

    Fabric8Informers(Login login, Set<WatchedView> views) {
        client =
                new KubernetesClientBuilder()
                        .withConfig(config(login))
                        .withHttpClientBuilderConsumer(
                                http -> http.addOrReplaceInterceptor("requests", requests))
                        .build();
        for (WatchedView view : views) {
            informers.put(view, start(view, of(view)));
        }
    }

    private static Config config(Login login) {
        ConfigBuilder config =
                new ConfigBuilder()
                        .withAutoConfigure(false)
                        .withMasterUrl(login.url())
                        .withRequestTimeout(PATIENCE_MS)
                        .withConnectionTimeout(PATIENCE_MS)
                        .withHttp2Disable(!login.http2())
                        .withOauthToken(login.token());
        if (login.ca() != null) {
            config.withCaCertFile(login.ca().toString());
        }
        if (login.certificate() != null) {
            config.withClientCertFile(login.certificate().toString())
                    .withClientKeyFile(login.key().toString());
        }
        return config.build();
    }

    @Override
    public int statusOfList(String namespace) {
        try {
            client.configMaps().inNamespace(namespace).list();
            return 200;
        } catch (KubernetesClientException e) {
            return e.getCode();
        }
    }

    private Informable<? extends HasMetadata> of(WatchedView view) {
        return switch (view) {
            case CONFIG_MAPS -> client.configMaps().inAnyNamespace();
            case ONE_NAMESPACE -> client.configMaps().inNamespace(Changes.NAMESPACE);
            case PODS -> client.pods().inAnyNamespace();
            case LABELLED_PODS ->
                    client.pods().inAnyNamespace().withLabelSelector(view.labelSelector());
            case BUOYS ->
                    client.genericKubernetesResources(
                                    new ResourceDefinitionContext.Builder()
                                            .withGroup(Changes.GROUP)
                                            .withVersion("v1")
                                            .withKind("Buoy")
                                            .withPlural("buoys")
                                            .withNamespaced(true)
                                            .build())
                            .inAnyNamespace();
        };
    }

    private <T extends HasMetadata> SharedIndexInformer<T> start(
            WatchedView view, Informable<T> of) {
        SharedIndexInformer<T> informer = of.runnableInformer(0);
        informer.addEventHandler(new Counter<>(events));
        informer.exceptionHandler((started, failure) -> {
            complaints.report(view.toString(), failure);
            return started && !(failure instanceof WatcherException);
        });
        informer.start();
        return informer;
    }

    @Override
    public String name() {
        return "fabric8 kubernetes-client";
    }

    @Override
    public Set<WatchedView> views() {
        return informers.keySet();
    }

    @Override
    public Map<String, String> contents(WatchedView view) {
        Map<String, String> versions = new TreeMap<>();
        for (HasMetadata object : informers.get(view).getStore().list()) {
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
        return new Traffic(requests.lists.get(), requests.watches.get(), events.get());
    }

    @Override
    public void close() {
        client.close();
    }

    /** Counts requests. */
    private static final class Requests implements Interceptor {
        private final AtomicLong lists = new AtomicLong();
        private final AtomicLong watches = new AtomicLong();

        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
            boolean watch = String.valueOf(request.uri().getRawQuery()).contains("watch=true");
            (watch ? watches : lists).incrementAndGet();
        }
    }

    private record Counter<T>(AtomicLong events) implements ResourceEventHandler<T> {
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
