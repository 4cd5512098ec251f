package io.hasp.spring.autoconfigure;

import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.spring.actuator.LockClientsCheck;
import io.hasp.spring.actuator.LockHealthIndicator;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the lock clients in Spring Boot 4: {@code management.health.hasp.enabled}. */
@AutoConfiguration(after = HaspAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockClient.class)
@ConditionalOnEnabledHealthIndicator("hasp")
public final class LockHealthAutoConfiguration {
    LockHealthAutoConfiguration() {}

    @Bean
    static LockHealthIndicator haspHealthIndicator(Map<String, LockClient> clients, ListableBeanFactory beans) {
        return new LockHealthIndicator(new LockClientsCheck(clients, beans.getBeansOfType(LeaderElection.class)));
    }
}
