package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.locked.Locked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** {@link Locked} on classes and on other annotations, and methods that read, write, or run so many at a time. */
class LockedKindsTest {
    @Locked(value = "stock/{id}", waitAtMost = "0s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface StockLock {}

    @Locked(value = "class", waitAtMost = "0s")
    static class OnClass {
        private final LockClient locks;

        OnClass(LockClient locks) {
            this.locks = locks;
        }

        public String ofClass() {
            return locks.lock("class").tryAcquire().isEmpty() ? "held" : "free";
        }

        @Locked("own")
        public String ofMethod() {
            return locks.lock("class").tryAcquire().isEmpty()
                    ? "class"
                    : locks.lock("own").tryAcquire().isEmpty() ? "own" : "free";
        }
    }

    static class Stock {
        private final LockClient locks;

        Stock(LockClient locks) {
            this.locks = locks;
        }

        @StockLock
        public String meta(int id) {
            return locks.lock("stock/" + id).tryAcquire().isEmpty() ? "held" : "free";
        }

        @Locked(value = "prices", mode = Locked.Mode.READ, waitAtMost = "0s")
        public void read(Runnable during) {
            during.run();
        }

        @Locked(value = "prices", mode = Locked.Mode.WRITE, waitAtMost = "0s")
        public void write(Runnable during) {
            during.run();
        }

        @Locked(value = "calls", permits = 2, waitAtMost = "0s")
        public void limited(Runnable during) {
            during.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Shop {
        @Bean
        OnClass onClass(LockClient locks) {
            return new OnClass(locks);
        }

        @Bean
        Stock stock(LockClient locks) {
            return new Stock(locks);
        }
    }

    private static final ApplicationContextRunner SHOP =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://kinds").withUserConfiguration(Shop.class);

    @Test
    void classes_other_annotations_modes_and_permits_are_understood() {
        SHOP.run(context -> {
            LockClient locks = context.getBean(LockClient.class);
            OnClass onClass = context.getBean(OnClass.class);
            assertThat(onClass.ofClass()).isEqualTo("held");
            assertThat(onClass.ofMethod()).isEqualTo("own");
            Stock stock = context.getBean(Stock.class);
            assertThat(stock.meta(1)).isEqualTo("held");
            stock.read(() -> {
                assertThat(locks.readWriteLock("prices").read().tryRun(lease -> {}))
                        .isTrue();
                assertThat(locks.readWriteLock("prices").write().tryRun(lease -> {}))
                        .isFalse();
            });
            stock.write(() -> stock.read(() -> {}));
            assertThatThrownBy(() -> stock.read(() -> stock.write(() -> {})))
                    .isInstanceOf(UnsupportedCapabilityException.class);
            stock.limited(
                    () -> assertThat(locks.semaphore("calls", 2).tryAcquire(2)).isEmpty());
        });
    }

    @Locked("a/{id}")
    static class WithoutParameter {
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Refused {
        @Bean
        WithoutParameter withoutParameter() {
            return new WithoutParameter();
        }
    }

    @Test
    void an_annotated_class_with_a_method_that_can_not_be_locked_is_refused() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://kinds")
                .withUserConfiguration(Refused.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("{id}"));
    }
}
