package io.hasp.spring3;

import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.spring.actuator.LockClientsCheck;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The health of the lock clients in Spring Boot 3: {@code management.health.hasp.enabled}. */
@AutoConfiguration(after = HaspAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(LockClient.class)
@ConditionalOnEnabledHealthIndicator("hasp")
public final class Lock3HealthAutoConfiguration {
    Lock3HealthAutoConfiguration() {}

    @Bean
    static Lock3HealthIndicator haspHealthIndicator(Map<String, LockClient> clients, ListableBeanFactory beans) {
        return new Lock3HealthIndicator(new LockClientsCheck(clients, beans.getBeansOfType(LeaderElection.class)));
    }
}
