package io.hasp.slices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.Lease;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.LockException;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.AutoConfigureTestLocks;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import io.hasp.spring.autoconfigure.TestLocksAutoConfiguration;
import io.hasp.test.LockRecord;
import io.hasp.test.TestLocks;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContextManager;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** The test kit in slices of an application: one annotation gives the bean, and each test begins without locks. */
@SuppressWarnings("NullAway.Init")
@ExtendWith(SpringExtension.class)
@AutoConfigureTestLocks
@TestPropertySource(properties = "hasp.renewed-lease=7s")
@ContextConfiguration(classes = TestLocksInSlicesTest.Slice.class)
class TestLocksInSlicesTest {
    @Configuration(proxyBeanMethods = false)
    static class Slice {
        @Bean
        Service service() {
            return new Service();
        }
    }

    static class Service {
        @Locked(value = "orders", waitAtMost = "0s")
        public String ship() {
            return "shipped";
        }
    }

    @Autowired
    private Service service;

    @Autowired
    private LockClient client;

    @Autowired
    private TestLocks locks;

    @Test
    void the_application_uses_the_client_of_the_kit_with_its_own_options() {
        assertThat(service.ship()).isEqualTo("shipped");
        assertThat(client).isSameAs(locks.client());
        locks.assertLocked("orders");
        assertThat(locks.locked()).extracting(LockRecord::lease).containsExactly(Duration.ofSeconds(7));
        assertThat(locks.locked().get(0).place())
                .hasValueSatisfying(
                        call -> assertThat(call.getClassName()).isEqualTo(TestLocksInSlicesTest.class.getName()));
    }

    /** Each repetition leaves a busy lock, an outage and a record behind. */
    @RepeatedTest(2)
    void a_test_begins_without_the_faults_of_the_one_before() {
        assertThat(locks.recorded()).isEmpty();
        assertThat(service.ship()).isEqualTo("shipped");
        locks.makeBusy("orders");
        assertThatThrownBy(service::ship).isInstanceOf(LockBusyException.class);
        locks.makeUnavailable();
        assertThatThrownBy(service::ship).isInstanceOf(LockException.class).isNotInstanceOf(LockBusyException.class);
    }

    /** Run by hand. */
    @AutoConfigureTestLocks
    @ContextConfiguration(classes = Slice.class)
    static class Leaking {
        @Autowired
        LockClient client;

        void leaks() {}
    }

    /** Run by hand. */
    @AutoConfigureTestLocks(nothingHeldAtEnd = false)
    @ContextConfiguration(classes = Slice.class)
    static class Holding extends Leaking {}

    @Test
    void a_lock_that_is_still_held_fails_the_test() throws Exception {
        assertThatThrownBy(() -> endsWithALock(new Leaking(), null))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("'leaked' (exclusive");
        assertThatCode(() -> endsWithALock(new Holding(), null)).doesNotThrowAnyException();
        assertThatCode(() -> endsWithALock(new Leaking(), new IllegalStateException("the reason")))
                .doesNotThrowAnyException();
    }

    private static void endsWithALock(Leaking test, @Nullable Throwable failure) throws Exception {
        TestContextManager manager = new TestContextManager(test.getClass());
        manager.prepareTestInstance(test);
        Method method = Leaking.class.getDeclaredMethod("leaks");
        manager.beforeTestMethod(test, method);
        try (Lease lease = test.client.lock("leaked").tryAcquire().orElseThrow()) {
            lease.ensureHeld();
            manager.afterTestMethod(test, method, failure);
        }
    }

    @Test
    void without_the_kit_the_locks_are_in_memory_as_well() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(TestLocks.class))
                .withConfiguration(AutoConfigurations.of(TestLocksAutoConfiguration.class, HaspAutoConfiguration.class))
                .withPropertyValues("hasp.uri=memory://tests")
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LockClient.class);
                    assertThat(context).doesNotHaveBean("testLocks");
                });
    }

    @Configuration(proxyBeanMethods = false)
    static class OnVirtualTime {
        @Bean
        TestLocks locks() {
            return TestLocks.withVirtualTime();
        }
    }

    @Test
    void a_kit_of_the_test_takes_the_place_of_the_usual_one() {
        new ApplicationContextRunner()
                .withUserConfiguration(OnVirtualTime.class)
                .withConfiguration(AutoConfigurations.of(TestLocksAutoConfiguration.class, HaspAutoConfiguration.class))
                .withPropertyValues("hasp.uri=memory://tests")
                .run(context -> {
                    TestLocks kit = context.getBean(TestLocks.class);
                    assertThat(context.getBean(LockClient.class)).isSameAs(kit.client());
                    kit.advance(Duration.ofHours(1));
                });
    }
}
