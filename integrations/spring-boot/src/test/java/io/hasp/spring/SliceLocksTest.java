package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.AutoConfigureTestLocks;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** A slice of an application whose properties configure the locks on its own connection. */
@SuppressWarnings("NullAway.Init")
@ExtendWith(SpringExtension.class)
@AutoConfigureTestLocks
@ContextConfiguration(classes = SliceLocksTest.Slice.class, initializers = SliceLocksTest.Properties.class)
class SliceLocksTest {
    /** Of the application, with the lowest precedence, as those of a file. */
    static final class Properties implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            context.getEnvironment()
                    .getPropertySources()
                    .addLast(new MapPropertySource(
                            "application",
                            Map.of(
                                    "hasp.key-prefix", "shop:",
                                    "hasp.command-timeout", "2s",
                                    "hasp.connection", "lettuce")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Slice {
        @Bean
        Service service(LockClient locks) {
            return new Service(locks);
        }
    }

    static class Service {
        private final LockClient locks;

        Service(LockClient locks) {
            this.locks = locks;
        }

        @Locked("slice")
        public boolean heldByOthers() {
            return locks.lock("slice").tryAcquire().isEmpty();
        }
    }

    @Autowired
    private Service service;

    @Test
    void it_starts_and_locks_in_memory() {
        assertThat(service.heldByOthers()).isTrue();
    }
}
