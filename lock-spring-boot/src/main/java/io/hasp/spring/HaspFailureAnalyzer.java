package io.hasp.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows the line of a {@link HaspConfigurationException} instead of a stack trace. */
final class HaspFailureAnalyzer extends AbstractFailureAnalyzer<HaspConfigurationException> {
    HaspFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, HaspConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), root);
    }
}
