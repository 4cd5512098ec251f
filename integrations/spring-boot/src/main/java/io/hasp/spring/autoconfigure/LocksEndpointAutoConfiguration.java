package io.hasp.spring.autoconfigure;

import io.hasp.LockClient;
import io.hasp.spring.ConditionalOnSwitch;
import io.hasp.spring.actuator.LeasesHere;
import io.hasp.spring.actuator.LocksEndpoint;
import io.hasp.spring.actuator.LocksOnServers;
import java.util.Map;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** The Actuator endpoint {@code locks}, if it is exposed. */
@AutoConfiguration(after = LockedAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnSwitch("hasp.enabled")
@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class)
public final class LocksEndpointAutoConfiguration {
    LocksEndpointAutoConfiguration() {}

    @Bean
    static LeasesHere haspLeasesHere() {
        return new LeasesHere();
    }

    @Bean
    static LocksEndpoint haspLocksEndpoint(LeasesHere leases, Map<String, LockClient> clients) {
        return new LocksEndpoint(leases, new LocksOnServers(clients));
    }
}
