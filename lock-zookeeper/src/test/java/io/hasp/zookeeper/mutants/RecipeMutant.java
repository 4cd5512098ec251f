package io.hasp.zookeeper.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.hasp.conformance.mutants.MutantLoader;
import io.hasp.conformance.mutants.SourceMutant;
import org.jspecify.annotations.Nullable;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * A fault of the recipe, and the test that must fail of it.
 *
 * @param type the class whose source is changed, below the package of the backend: {@code recipe/LockNode}
 * @param test the test class, below the same package: {@code AcquisitionTest}
 * @param method its method
 */
record RecipeMutant(String name, String type, String original, String replacement, String test, String method) {
    /** The change of the source. */
    SourceMutant mutant() {
        return new SourceMutant(name, "zookeeper/" + type + ".java", original, replacement);
    }

    /** The failure of the test; null if it passes. */
    @Nullable
    Throwable failure() throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader former = thread.getContextClassLoader();
        MutantLoader changed = new MutantLoader(mutant());
        try {
            thread.setContextClassLoader(changed);
            return failure(changed.loadClass("io.hasp.zookeeper." + test));
        } finally {
            thread.setContextClassLoader(former);
        }
    }

    private @Nullable Throwable failure(Class<?> changedTest) throws NoSuchMethodException {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectMethod(changedTest, changedTest.getDeclaredMethod(method)))
                .configurationParameter("junit.platform.execution.listeners.deactivate", "*")
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, summary);
        if (summary.getSummary().getTestsStartedCount() != 1) {
            throw new AssertionError("mutant '" + name + "': " + test + "." + method + " was not started");
        }
        return summary.getSummary().getFailures().stream()
                .findFirst()
                .map(failed -> failed.getException())
                .orElse(null);
    }

    @Override
    public String toString() {
        return name;
    }
}
