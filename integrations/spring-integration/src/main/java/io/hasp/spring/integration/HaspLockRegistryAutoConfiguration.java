package io.hasp.spring.integration;

import io.hasp.LockClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.LockRegistry;

/** A {@link LockRegistry} on the application's {@link LockClient}, unless the application defines one. */
@AutoConfiguration(afterName = {"io.hasp.spring.autoconfigure.HaspAutoConfiguration"})
@ConditionalOnClass(LockRegistry.class)
@ConditionalOnSingleCandidate(LockClient.class)
@ConditionalOnMissingBean(LockRegistry.class)
public final class HaspLockRegistryAutoConfiguration {
    private static final String DISTRIBUTED_LOCK = "org.springframework.integration.support.locks.DistributedLock";

    HaspLockRegistryAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = DISTRIBUTED_LOCK)
    static final class OfSpringIntegration7 {
        OfSpringIntegration7() {}

        @Bean
        static HaspLockRegistry haspLockRegistry(LockClient client) {
            return new HaspLockRegistry(client);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(DISTRIBUTED_LOCK)
    static final class OfSpringIntegration6 {
        OfSpringIntegration6() {}

        @Bean
        static HaspLockRegistry6 haspLockRegistry(LockClient client) {
            return new HaspLockRegistry6(client);
        }
    }
}
