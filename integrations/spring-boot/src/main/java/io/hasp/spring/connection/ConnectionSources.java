package io.hasp.spring.connection;

import io.hasp.postgres.PostgresBackend;
import io.hasp.redis.RedisBackend;
import io.hasp.spring.HaspProperties;
import io.hasp.zookeeper.ZooKeeperBackend;
import io.lettuce.core.RedisClient;
import org.apache.curator.framework.CuratorFramework;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.jdbc.datasource.DataSourceUtils;
import redis.clients.jedis.Jedis;

/** The kinds of connections whose libraries are on the class path. */
public final class ConnectionSources {
    private ConnectionSources() {}

    private static RedisSettings settings(
            ConfigurableListableBeanFactory beans, HaspProperties properties, Environment environment) {
        return new RedisSettings(properties, environment, new BeansByType(beans).credentials());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisBackend.class, RedisConnectionFactory.class, RedisClient.class})
    public static class OfLettuce {
        @Bean(LettuceSource.BEAN_NAME)
        LettuceSource haspLettuceSource(
                ConfigurableListableBeanFactory beans, HaspProperties properties, Environment environment) {
            return new LettuceSource(new BeansByType(beans), settings(beans, properties, environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisBackend.class, RedisConnectionFactory.class, Jedis.class})
    public static class OfJedis {
        @Bean
        JedisSource haspJedisSource(
                ConfigurableListableBeanFactory beans, HaspProperties properties, Environment environment) {
            return new JedisSource(new BeansByType(beans), settings(beans, properties, environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RedisBackend.class)
    @ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
    public static class OfProperties {
        @Bean
        RedisPropertiesSource haspRedisPropertiesSource(
                ConfigurableListableBeanFactory beans, HaspProperties properties, Environment environment) {
            return new RedisPropertiesSource(environment, settings(beans, properties, environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RedisBackend.class, RedissonClient.class})
    public static class OfRedisson {
        @Bean
        RedissonSource haspRedissonSource(
                ConfigurableListableBeanFactory beans, HaspProperties properties, Environment environment) {
            return new RedissonSource(new BeansByType(beans), settings(beans, properties, environment));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({ZooKeeperBackend.class, CuratorFramework.class})
    public static class OfCurator {
        @Bean
        CuratorSource haspCuratorSource(ConfigurableListableBeanFactory beans) {
            return new CuratorSource(new BeansByType(beans));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({PostgresBackend.class, DataSourceUtils.class})
    public static class OfDataSource {
        @Bean
        DataSourceSource haspDataSourceSource(ConfigurableListableBeanFactory beans, HaspProperties properties) {
            return new DataSourceSource(new BeansByType(beans), properties);
        }
    }
}
