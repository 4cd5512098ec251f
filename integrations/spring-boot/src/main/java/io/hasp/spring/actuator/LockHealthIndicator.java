package io.hasp.spring.actuator;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Reports the health of the lock services. In Spring Boot 3 these types have other names. */
public final class LockHealthIndicator extends AbstractHealthIndicator {
    private final LockClientsCheck check;

    public LockHealthIndicator(LockClientsCheck check) {
        super("the lock services could not be asked");
        this.check = check;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        LockClientsCheck.Result result = check.run();
        (result.up() ? builder.up() : builder.down()).withDetails(result.details());
    }
}
