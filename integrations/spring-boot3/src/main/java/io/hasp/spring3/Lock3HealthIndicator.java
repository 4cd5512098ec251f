package io.hasp.spring3;

import io.hasp.spring.actuator.LockClientsCheck;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;

/** Reports the health of the lock services. In Spring Boot 4 these types have other names. */
final class Lock3HealthIndicator extends AbstractHealthIndicator {
    private final LockClientsCheck check;

    Lock3HealthIndicator(LockClientsCheck check) {
        super("the lock services could not be asked");
        this.check = check;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        LockClientsCheck.Result result = check.run();
        (result.up() ? builder.up() : builder.down()).withDetails(result.details());
    }
}
