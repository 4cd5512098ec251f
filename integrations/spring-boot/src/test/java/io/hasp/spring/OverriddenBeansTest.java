package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.AutoConfigureTestLocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Tests of an application, in which beans with locked methods have been replaced, and beans behind scoped proxies. */
@SuppressWarnings("NullAway.Init")
@ExtendWith(SpringExtension.class)
@AutoConfigureTestLocks
@ContextConfiguration(classes = OverriddenBeansTest.Application.class)
class OverriddenBeansTest {
    static class Service {
        private final LockClient locks;

        Service(LockClient locks) {
            this.locks = locks;
        }

        @Locked("service")
        public boolean heldByOthers() {
            return locks.lock("service").tryAcquire().isEmpty();
        }
    }

    static class Stub extends Service {
        Stub(LockClient locks) {
            super(locks);
        }

        @Override
        @Locked("stub")
        public boolean heldByOthers() {
            return true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Application {
        @Bean
        Service mocked(LockClient locks) {
            return new Service(locks);
        }

        @Bean
        Service stubbed(LockClient locks) {
            return new Service(locks);
        }

        @Bean
        Service real(LockClient locks) {
            return new Service(locks);
        }

        @Bean
        @Scope(value = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Service prototype(LockClient locks) {
            return new Service(locks);
        }
    }

    @MockitoBean(name = "mocked")
    private Service mocked;

    @TestBean(name = "stubbed", methodName = "stub")
    private Service stubbed;

    @Autowired
    private Service real;

    @Autowired
    private Service prototype;

    @Autowired
    private LockClient locks;

    static Service stub() {
        return new Stub(LockClient.connect("memory://stub"));
    }

    @Test
    void a_mock_and_an_object_of_the_test_take_no_locks() {
        Mockito.when(mocked.heldByOthers()).thenReturn(true);
        assertThat(mocked.heldByOthers()).isTrue();
        assertThat(stubbed).isInstanceOf(Stub.class);
        assertThat(stubbed.heldByOthers()).isTrue();
    }

    @Test
    void the_other_beans_take_theirs_in_memory() {
        assertThat(real.heldByOthers()).isTrue();
        assertThat(locks.lock("service").tryAcquire()).isPresent().get().matches(lease -> {
            lease.release();
            return true;
        });
    }

    @Test
    void a_bean_behind_a_scoped_proxy_is_locked() {
        assertThat(prototype.heldByOthers()).isTrue();
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnScope {
        @Bean
        @Scope(value = "refresh", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Service refreshed(LockClient locks) {
            return new Service(locks);
        }
    }

    @Test
    void so_is_one_of_a_scope_of_its_own_and_one_without_proxies_is_refused() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://scoped")
                .withInitializer(context -> context.getBeanFactory().registerScope("refresh", new SimpleThreadScope()))
                .withUserConfiguration(OwnScope.class)
                .run(context -> assertThat(context.getBean(Service.class).heldByOthers())
                        .isTrue());
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://scoped")
                .withInitializer(context -> context.getBeanFactory()
                        .registerSingleton("registered", new Service(LockClient.connect("memory://scoped"))))
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Spring does not intercept it"));
    }

    @Test
    void a_client_that_is_a_mock_says_so() {
        Boot.withHasp()
                .withBean("mock", LockClient.class, () -> Mockito.mock(LockClient.class))
                .withBean(Service.class)
                .run(context -> assertThatIllegalStateException()
                        .isThrownBy(() -> context.getBean(Service.class).heldByOthers())
                        .withMessageContaining("is a mock")
                        .withMessageContaining("memory://tests"));
    }
}
