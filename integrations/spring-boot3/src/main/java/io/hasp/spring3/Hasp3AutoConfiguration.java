package io.hasp.spring3;

import io.hasp.redis.RedisBackend;
import io.hasp.spi.Credentials;
import io.hasp.spring.ConditionalOnSwitch;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.data.redis.RedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The classes of {@link HaspAutoConfiguration} that have other names in Spring Boot 3. */
@AutoConfiguration(before = HaspAutoConfiguration.class)
@ConditionalOnSwitch("hasp.enabled")
public final class Hasp3AutoConfiguration {
    Hasp3AutoConfiguration() {}

    /** In Spring Boot 4 they are never without Spring Data Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisConnectionDetails.class, RedisBackend.class})
    @ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
    static class OfDetails {
        @Bean
        static RedisDetailsSource haspRedisDetailsSource(
                ObjectProvider<RedisConnectionDetails> details,
                HaspProperties properties,
                ObjectProvider<Supplier<Credentials>> rotating) {
            return new RedisDetailsSource(details, properties, rotating);
        }
    }
}
