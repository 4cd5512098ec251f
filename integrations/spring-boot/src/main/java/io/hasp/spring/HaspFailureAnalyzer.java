package io.hasp.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Shows the line of a {@link HaspConfigurationException} instead of a stack trace, even if Spring Boot could analyze
 * its cause.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class HaspFailureAnalyzer extends AbstractFailureAnalyzer<HaspConfigurationException> {
    HaspFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable root, HaspConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), root);
    }
}
