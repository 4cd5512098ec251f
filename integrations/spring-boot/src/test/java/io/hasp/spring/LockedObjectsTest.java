package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import io.hasp.spring.autoconfigure.LockedAutoConfiguration;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Objects that come to the application in other ways than as beans of one context. */
class LockedObjectsTest {
    private final ApplicationContextRunner memory = Boot.withHasp().withPropertyValues("hasp.uri=memory://objects");

    /** Returns the name of the lock under which it runs. */
    static class Work {
        private final ObjectProvider<Lease> lease;

        Work(ObjectProvider<Lease> lease) {
            this.lease = lease;
        }

        @Locked("work")
        public String run() {
            return lease.getObject().name();
        }
    }

    static class WorkFactory implements FactoryBean<Work> {
        private final ObjectProvider<Lease> lease;

        WorkFactory(ObjectProvider<Lease> lease) {
            this.lease = lease;
        }

        @Override
        public Work getObject() {
            return new Work(lease);
        }

        @Override
        public Class<?> getObjectType() {
            return Work.class;
        }
    }

    @Test
    void what_a_factory_bean_makes_is_locked() {
        memory.withBean("work", WorkFactory.class)
                .run(context -> assertThat(context.getBean(Work.class).run()).isEqualTo("work"));
    }

    /** As Spring Data makes an implementation of it. */
    interface Repository {
        @Locked("repository")
        String find();
    }

    static class RepositoryFactory implements FactoryBean<Repository> {
        @Override
        public Repository getObject() {
            return (Repository) Proxy.newProxyInstance(
                    Repository.class.getClassLoader(),
                    new Class<?>[] {Repository.class},
                    (proxy, method, arguments) -> "without a lock");
        }

        @Override
        public Class<?> getObjectType() {
            return Repository.class;
        }
    }

    static class User {
        User(Repository needed) {
            assertThat(needed.find()).isEqualTo("never made");
        }
    }

    @Test
    void an_interface_that_has_an_implementation_made_for_it_is_refused() {
        memory.withBean("repository", RepositoryFactory.class)
                .withBean(User.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessage("@Locked on Repository.find(): the method belongs to an interface, so Spring can't"
                                + " intercept it; override and annotate it"));
        memory.withBean(Repository.class, () -> new RepositoryFactory().getObject())
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Repository.find(): the method belongs to an interface"));
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
    static class Parent {}

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
    static class Child {
        @Bean
        Work work(ObjectProvider<Lease> lease) {
            return new Work(lease);
        }
    }

    @Test
    void a_context_uses_the_client_of_its_parent() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Parent.class)
                .web(WebApplicationType.NONE)
                .properties("hasp.uri=memory://parent")
                .child(Child.class)
                .web(WebApplicationType.NONE)
                .run()) {
            assertThat(context.getBeansOfType(LockClient.class))
                    .as("of its own")
                    .isEmpty();
            assertThat(context.getBean(Work.class).run()).isEqualTo("work");
        }
    }
}
