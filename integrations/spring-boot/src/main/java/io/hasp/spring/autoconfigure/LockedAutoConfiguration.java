package io.hasp.spring.autoconfigure;

import io.hasp.Lease;
import io.hasp.MultiLease;
import io.hasp.locked.spi.CallObserver;
import io.hasp.locked.spi.Enclosing;
import io.hasp.locked.spi.HeldLeases;
import io.hasp.locked.spi.LockedMethod.Surroundings;
import io.hasp.spring.ClientsLast;
import io.hasp.spring.ConditionalOnSwitch;
import io.hasp.spring.locked.CommitCheck;
import io.hasp.spring.locked.EnclosingTransaction;
import io.hasp.spring.locked.LockedAdvisor;
import io.hasp.spring.locked.LockedBeans;
import io.hasp.spring.locked.SpelLanguage;
import io.hasp.spring.locked.TransactionFences;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.transaction.support.TransactionSynchronization;

/** {@link io.hasp.locked.Locked} methods, and {@link Lease} for {@code ObjectProvider<Lease>}. */
@AutoConfiguration(after = HaspAutoConfiguration.class)
@ConditionalOnSwitch("hasp.enabled")
@Import(LockedAutoConfiguration.Proxies.class)
public final class LockedAutoConfiguration {
    LockedAutoConfiguration() {}

    /** Shared by a context and its parents, so that a call from one to the other re-enters. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static HeldLeases haspHeldLeases(TransactionFences fences) {
        return new HeldLeases(fences);
    }

    @Bean(destroyMethod = "")
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    static Lease haspLease(HeldLeases held) {
        return held.innermost();
    }

    @Bean(destroyMethod = "")
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    static MultiLease haspMultiLease(HeldLeases held) {
        return held.innermostOfSeveral();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeans haspLockedBeans(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<ClientsLast> ending,
            HeldLeases held,
            ObjectProvider<Enclosing> enclosing,
            ObjectProvider<CallObserver> observer,
            Environment environment) {
        Surroundings surroundings = new Surroundings(
                held,
                enclosing.getIfAvailable(() -> Enclosing.NOTHING),
                new SpelLanguage(beans),
                environment::resolveRequiredPlaceholders,
                // Resolved at the call: its dependencies may not be ready while beans are being prepared.
                (lock, call) -> observer.getIfAvailable(() -> CallObserver.NONE).observe(lock, call));
        return new LockedBeans(beans, ending.getIfAvailable(ClientsLast::new), surroundings);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedAdvisor haspLockedAdvisor(LockedBeans locked, BeanFactory beans) {
        return new LockedAdvisor(locked, beans);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionSynchronization.class)
    static class InTransactions {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static EnclosingTransaction haspEnclosingTransaction() {
            return new EnclosingTransaction();
        }

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static CommitCheck haspCommitCheck(ObjectProvider<HeldLeases> held) {
            return new CommitCheck(held);
        }
    }

    /** Creates proxies as Spring Boot does, unless its proxies are switched off. */
    static final class Proxies implements ImportBeanDefinitionRegistrar {
        private final Environment environment;

        Proxies(Environment environment) {
            this.environment = environment;
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
            if (environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true)) {
                AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(registry);
            }
        }
    }
}
