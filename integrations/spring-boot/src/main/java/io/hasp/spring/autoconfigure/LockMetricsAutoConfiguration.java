package io.hasp.spring.autoconfigure;

import io.hasp.micrometer.LockMetrics;
import io.hasp.micrometer.LockTag;
import io.hasp.spring.ConditionalOnSwitch;
import io.hasp.spring.ListenerOfEach;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Metrics of each client of {@code hasp.*}, distinguished by the tag {@code client}. A {@link LockMetrics} bean
 * replaces them.
 */
@AutoConfiguration(
        before = HaspAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, LockMetrics.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnMissingBean(LockMetrics.class)
@ConditionalOnSwitch({"hasp.enabled", "hasp.metrics.enabled"})
public final class LockMetricsAutoConfiguration {
    LockMetricsAutoConfiguration() {}

    @Bean
    static ListenerOfEach haspClientMetrics(MeterRegistry registry, ObjectProvider<LockTag> lockTag) {
        return client -> {
            LockMetrics.Builder metrics = LockMetrics.builder(registry).tags("client", client);
            lockTag.ifUnique(metrics::lockTag);
            return metrics.build();
        };
    }
}
