package io.hasp.spring.autoconfigure;

import io.hasp.locked.spi.CallObserver;
import io.hasp.micrometer.ObservedCalls;
import io.hasp.spring.ConditionalOnSwitch;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** An observation for each call of a locked method that takes a lock. */
@AutoConfiguration(
        before = LockedAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration"
        })
@ConditionalOnClass({ObservationRegistry.class, ObservedCalls.class})
@ConditionalOnSingleCandidate(ObservationRegistry.class)
@ConditionalOnSwitch({"hasp.enabled", "hasp.observations.enabled"})
public final class LockObservationsAutoConfiguration {
    LockObservationsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(CallObserver.class)
    static ObservedCalls haspObservedCalls(ObservationRegistry registry) {
        return ObservedCalls.in(registry);
    }
}
