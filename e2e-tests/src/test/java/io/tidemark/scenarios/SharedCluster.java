package io.tidemark.scenarios;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides the one cluster that all scenarios of a JVM share, also when each class is run
 * separately; it ends with the last of them.
 */
final class SharedCluster implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ScenarioCluster.class;
    }

    @Override
    public ScenarioCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedCluster.class))
                .computeIfAbsent(
                        ScenarioCluster.class, _ -> ScenarioCluster.start(), ScenarioCluster.class);
    }
}
