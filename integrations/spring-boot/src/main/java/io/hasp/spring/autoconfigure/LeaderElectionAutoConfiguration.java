package io.hasp.spring.autoconfigure;

import io.hasp.ElectionOptions;
import io.hasp.InvalidArgumentException;
import io.hasp.LeaderElection;
import io.hasp.LockClient;
import io.hasp.TermAction;
import io.hasp.spring.ConditionalOnSwitch;
import io.hasp.spring.HaspConfigurationException;
import io.hasp.spring.HaspProperties;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * The candidate of {@code hasp.election}, which joins its election when the application has started. Several clients without a primary one are
 * refused at start.
 */
@AutoConfiguration(after = HaspAutoConfiguration.class)
@ConditionalOnSwitch("hasp.enabled")
@ConditionalOnProperty("hasp.election.name")
@ConditionalOnBean(LockClient.class)
public final class LeaderElectionAutoConfiguration {
    LeaderElectionAutoConfiguration() {}

    /** Not closed by Spring: the client ends it, and the lifecycle before that. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    static LeaderElection leaderElection(LockClient client, HaspProperties properties) {
        HaspProperties.Election election = Objects.requireNonNull(properties.election());
        String name = Objects.requireNonNull(election.name());
        ElectionOptions options = options(election);
        return new ContextElection(() -> client.election(name, options));
    }

    private static ElectionOptions options(HaspProperties.Election election) {
        try {
            ElectionOptions options = ElectionOptions.defaults();
            options = election.label() == null ? options : options.label(election.label());
            return election.pause() == null ? options : options.pause(election.pause());
        } catch (InvalidArgumentException e) {
            throw HaspConfigurationException.ofProperty("hasp.election.", e);
        }
    }

    @Bean
    static ElectionLifecycle haspElectionLifecycle(
            LeaderElection election, ObjectProvider<TermAction> work, ApplicationEventPublisher events) {
        return new ElectionLifecycle(election, work, events);
    }
}
