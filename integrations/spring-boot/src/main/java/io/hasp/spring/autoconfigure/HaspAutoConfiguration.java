package io.hasp.spring.autoconfigure;

import io.hasp.LockClient;
import io.hasp.LockListener;
import io.hasp.spring.ClientsLast;
import io.hasp.spring.ConditionalOnSwitch;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.ListenerOfEach;
import io.hasp.spring.connection.ClientOpener;
import io.hasp.spring.connection.ConnectionSource;
import io.hasp.spring.connection.ConnectionSources;
import io.hasp.spring.locked.TransactionFences;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/** Lock clients, from {@code hasp.*} or on the application's connection. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
            "org.redisson.spring.starter.RedissonAutoConfigurationV2",
            "org.redisson.spring.starter.RedissonAutoConfigurationV4"
        })
@ConditionalOnSwitch("hasp.enabled")
@EnableConfigurationProperties(HaspProperties.class)
@Import({
    ConnectionSources.OfLettuce.class,
    ConnectionSources.OfJedis.class,
    ConnectionSources.OfProperties.class,
    ConnectionSources.OfRedisson.class,
    ConnectionSources.OfCurator.class,
    ConnectionSources.OfDataSource.class,
    NamedClients.class
})
@ImportRuntimeHints(LockHints.class)
public final class HaspAutoConfiguration {
    static final String OPENER = "haspClientOpener";
    private static final String CLIENT = "lockClient";

    HaspAutoConfiguration() {}

    @Bean
    static ClientsLast haspClientsLast() {
        return new ClientsLast();
    }

    @Bean
    static ClientsLifecycle haspClientsLifecycle(ConfigurableListableBeanFactory beans) {
        return new ClientsLifecycle(beans);
    }

    /** Shared by a context and its parents, as {@code HeldLeases} is. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static TransactionFences haspTransactionFences() {
        return new TransactionFences();
    }

    @Bean(OPENER)
    static ClientOpener haspClientOpener(
            HaspProperties properties,
            ObjectProvider<ConnectionSource> sources,
            ObjectProvider<LockListener> listeners,
            ObjectProvider<ListenerOfEach> listenersOfEach,
            TransactionFences fences,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        return new ClientOpener(
                properties,
                sources.orderedStream().toList(),
                listeners.orderedStream().toList(),
                listenersOfEach.orderedStream().toList(),
                fences,
                beans,
                environment);
    }

    @Bean(name = CLIENT, destroyMethod = "close")
    @Primary
    @Conditional(OnUnnamedClient.class)
    @ConditionalOnMissingBean
    static LockClient lockClient(ClientOpener opener) {
        return opener.unnamed(CLIENT);
    }
}
