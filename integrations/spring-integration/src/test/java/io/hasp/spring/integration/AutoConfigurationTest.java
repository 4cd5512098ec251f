package io.hasp.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

class AutoConfigurationTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HaspLockRegistryAutoConfiguration.class));

    @Configuration(proxyBeanMethods = false)
    static class OneClient {
        @Bean(destroyMethod = "close")
        LockClient lockClient() {
            return LockClient.connect("memory://auto");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class AnotherClient {
        @Bean(destroyMethod = "close")
        LockClient anotherLockClient() {
            return LockClient.connect("memory://another");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnRegistry {
        @Bean
        LockRegistry<?> ownRegistry() {
            return new DefaultLockRegistry();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WantsDistributedLocks {
        @Bean
        String locked(LockRegistry<DistributedLock> registry) {
            return "locked: " + registry.obtain("a").tryLock();
        }
    }

    @Test
    void a_lock_client_makes_a_registry() {
        application
                .withUserConfiguration(OneClient.class, WantsDistributedLocks.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(LockRegistry.class).hasSingleBean(HaspLockRegistry.class);
                    assertThat(context.getBean("locked")).isEqualTo("locked: true");
                });
    }

    @Test
    void a_registry_of_the_application_is_left_alone() {
        application
                .withUserConfiguration(OneClient.class, OwnRegistry.class)
                .run(context ->
                        assertThat(context).hasSingleBean(LockRegistry.class).hasBean("ownRegistry"));
    }

    @Test
    void without_a_client_or_with_two_there_is_none() {
        application.run(context -> assertThat(context).doesNotHaveBean(LockRegistry.class));
        application
                .withUserConfiguration(OneClient.class, AnotherClient.class)
                .run(context -> assertThat(context).doesNotHaveBean(LockRegistry.class));
    }

    @Test
    void without_spring_integration_nothing_is_loaded() {
        application
                .withUserConfiguration(OneClient.class)
                .withClassLoader(new FilteredClassLoader(LockRegistry.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("haspLockRegistry"));
    }

    @Test
    void spring_integration_6_has_a_registry_of_its_own() {
        application
                .withUserConfiguration(OneClient.class)
                .withClassLoader(new FilteredClassLoader(DistributedLock.class))
                .run(context -> assertThat(context).hasSingleBean(HaspLockRegistry6.class));
    }
}
