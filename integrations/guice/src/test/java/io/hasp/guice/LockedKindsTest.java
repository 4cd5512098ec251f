package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.UnsupportedCapabilityException;
import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@link Locked} on classes and on other annotations, and methods that read, write, or run so many at a time. */
class LockedKindsTest {
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final String server = "memory://kinds-" + TESTS.incrementAndGet();
    private final Injector injector = Guice.createInjector(HaspModule.connectingTo(server));
    private final LockClient other = LockClient.connect(server);

    @AfterEach
    void close() {
        injector.getInstance(LockClient.class).close();
        other.close();
    }

    @Locked(value = "stock/{id}", waitAtMost = "0s")
    @Retention(RetentionPolicy.RUNTIME)
    @interface StockLock {}

    @StockLock
    @Retention(RetentionPolicy.RUNTIME)
    @interface Renamed {}

    @Locked(value = "class", waitAtMost = "0s")
    static class OnClass {
        private final LockClient locks;

        @Inject
        OnClass(LockClient locks) {
            this.locks = locks;
        }

        private String held(String name) {
            return locks.lock(name).tryRun(lease -> {}) ? "free" : "held";
        }

        protected String ofClass() {
            return held("class");
        }

        @Locked("own")
        public String ofMethod() {
            return held("class") + ", own " + held("own");
        }

        @Override
        public String toString() {
            return held("class");
        }

        static String ofNobody() {
            return "static";
        }
    }

    static class Inherits extends OnClass {
        @Inject
        Inherits(LockClient locks) {
            super(locks);
        }

        public String another() {
            return locks().lock("class").tryRun(lease -> {}) ? "free" : "held";
        }

        private LockClient locks() {
            return super.locks;
        }
    }

    static class Stock {
        private final LockClient locks;

        @Inject
        Stock(LockClient locks) {
            this.locks = locks;
        }

        @StockLock
        String meta(@LockKey("id") int id) {
            return locks.lock("stock/" + id).tryAcquire().isEmpty() ? "held" : "free";
        }

        @Renamed
        String renamed(@LockKey("id") int id) {
            return meta(id);
        }

        @Locked(value = "prices", mode = Locked.Mode.READ, waitAtMost = "0s")
        String read(Runnable during) {
            during.run();
            return "read";
        }

        @Locked(value = "prices", mode = Locked.Mode.WRITE, waitAtMost = "0s")
        String write(Runnable during) {
            during.run();
            return "written";
        }

        @Locked(value = "calls", permits = 2, waitAtMost = "0s")
        String limited(Runnable during) {
            during.run();
            return "ran";
        }
    }

    @Test
    void each_method_of_an_annotated_class_is_locked_and_a_method_may_say_otherwise() {
        OnClass object = injector.getInstance(OnClass.class);
        assertThat(object.ofClass()).isEqualTo("held");
        assertThat(object.ofMethod()).isEqualTo("free, own held");
        assertThat(object.toString()).isEqualTo("free");
        assertThat(OnClass.ofNobody()).isEqualTo("static");
    }

    @Test
    void the_annotation_of_a_class_is_for_the_methods_that_it_declares() {
        Inherits object = injector.getInstance(Inherits.class);
        assertThat(object.ofClass()).isEqualTo("held");
        assertThat(object.another()).isEqualTo("free");
    }

    @Test
    void an_annotation_that_is_annotated_locks_as_well() {
        Stock stock = injector.getInstance(Stock.class);
        assertThat(stock.meta(1)).isEqualTo("held");
        assertThat(stock.renamed(2)).isEqualTo("held");
        var lease = other.lock("stock/3").tryAcquire().orElseThrow();
        assertThatThrownBy(() -> stock.meta(3)).isInstanceOf(LockBusyException.class);
        lease.release();
    }

    @Test
    void readers_run_together_and_a_writer_runs_alone() {
        Stock stock = injector.getInstance(Stock.class);
        assertThat(stock.read(() -> {
                    assertThat(other.readWriteLock("prices").read().tryRun(lease -> {}))
                            .isTrue();
                    assertThat(other.readWriteLock("prices").write().tryRun(lease -> {}))
                            .isFalse();
                }))
                .isEqualTo("read");
        assertThat(stock.write(() -> {
                    assertThat(other.readWriteLock("prices").read().tryRun(lease -> {}))
                            .isFalse();
                    assertThat(stock.read(() -> {}))
                            .as("within its own writing")
                            .isEqualTo("read");
                }))
                .isEqualTo("written");
        assertThatThrownBy(() -> stock.read(() -> stock.write(() -> {})))
                .isInstanceOf(UnsupportedCapabilityException.class)
                .hasMessageContaining("'prices' is held by this thread for reading");
        assertThat(other.readWriteLock("prices").write().tryRun(lease -> {})).isTrue();
    }

    @Test
    void so_many_calls_run_at_a_time() {
        Stock stock = injector.getInstance(Stock.class);
        assertThat(stock.limited(() -> {
                    var second = other.semaphore("calls", 2).tryAcquire().orElseThrow();
                    assertThat(other.semaphore("calls", 2).tryAcquire()).isEmpty();
                    assertThat(stock.limited(() -> {}))
                            .as("under the same permit")
                            .isEqualTo("ran");
                    second.release();
                }))
                .isEqualTo("ran");
        var first = other.semaphore("calls", 2).tryAcquire(2).orElseThrow();
        assertThatThrownBy(() -> stock.limited(() -> {})).isInstanceOf(LockBusyException.class);
        first.release();
    }
}
