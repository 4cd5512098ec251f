package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.cloud.autoconfigure.RefreshAutoConfiguration;
import org.springframework.cloud.context.config.annotation.RefreshScope;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans of Spring Cloud's scope, which are made anew while the application runs. */
class RefreshScopeTest {
    static class Prices {
        private final LockClient locks;

        Prices(LockClient locks) {
            this.locks = locks;
        }

        @Locked("prices")
        public boolean heldByOthers() {
            return locks.lock("prices").tryAcquire().isEmpty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        @RefreshScope
        Prices prices(LockClient locks) {
            return new Prices(locks);
        }
    }

    @Test
    void they_are_locked_before_and_after_a_refresh() {
        Boot.withHasp()
                .withConfiguration(AutoConfigurations.of(RefreshAutoConfiguration.class))
                .withPropertyValues("hasp.uri=memory://refreshed")
                .withUserConfiguration(Application.class)
                .run(context -> {
                    Prices prices = context.getBean(Prices.class);
                    assertThat(prices.heldByOthers()).isTrue();
                    context.getBean(org.springframework.cloud.context.scope.refresh.RefreshScope.class)
                            .refreshAll();
                    assertThat(prices.heldByOthers()).isTrue();
                });
    }
}
