package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Other annotations on a locked method, and a busy lock as an HTTP status. */
@Timeout(60)
class AroundLockedMethodsTest {

    static class Work {
        final AtomicInteger runs = new AtomicInteger();

        @Locked(value = "work", waitAtMost = "0s")
        @Cacheable("prices")
        public int price() {
            return runs.incrementAndGet();
        }

        @Locked(value = "work", waitAtMost = "0s")
        @Async
        public CompletableFuture<Thread> later(CompletableFuture<Void> go) {
            go.join();
            return CompletableFuture.completedFuture(Thread.currentThread());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableCaching
    @EnableAsync
    static class Annotations {
        @Bean
        ConcurrentMapCacheManager cacheManager() {
            return new ConcurrentMapCacheManager();
        }

        @Bean
        Executor taskExecutor() {
            return new SimpleAsyncTaskExecutor();
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    private final ApplicationContextRunner shop =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://around").withUserConfiguration(Annotations.class);

    private static boolean isFree(LockClient locks) {
        return locks.lock("work")
                .tryAcquire()
                .map(lease -> {
                    lease.close();
                    return true;
                })
                .orElse(false);
    }

    @Test
    void a_cached_result_is_returned_under_the_lock() {
        shop.run(context -> {
            Work work = context.getBean(Work.class);
            assertThat(work.price()).isEqualTo(work.price()).isEqualTo(1);
            context.getBean(LockClient.class).lock("work").run(lease -> {
                Throwable busy = CompletableFuture.runAsync(work::price)
                        .handle((done, failure) -> failure)
                        .get(10, TimeUnit.SECONDS);
                assertThat(busy).hasCauseInstanceOf(LockBusyException.class);
            });
        });
    }

    @Test
    void an_async_method_holds_its_lock_on_its_thread_until_it_has_run() {
        shop.run(context -> {
            LockClient locks = context.getBean(LockClient.class);
            CompletableFuture<Void> go = new CompletableFuture<>();
            CompletableFuture<Thread> result = context.getBean(Work.class).later(go);
            org.awaitility.Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> !isFree(locks));
            go.complete(null);
            assertThat(result.get(10, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
            org.awaitility.Awaitility.await().atMost(10, TimeUnit.SECONDS).until(() -> isFree(locks));
        });
    }

    @RestController
    static class Prices {
        private final Work work;

        Prices(Work work) {
            this.work = work;
        }

        @GetMapping("/price")
        String price() {
            return Integer.toString(work.price());
        }
    }

    @RestControllerAdvice
    static class Busy {
        @ExceptionHandler(LockBusyException.class)
        @ResponseStatus(HttpStatus.CONFLICT)
        void busy() {}
    }

    @Test
    void a_busy_lock_is_a_conflict_by_one_line() {
        shop.run(context -> {
            Work work = context.getBean(Work.class);
            MockMvc web = MockMvcBuilders.standaloneSetup(new Prices(work))
                    .setControllerAdvice(new Busy())
                    .build();
            web.perform(get("/price")).andExpect(status().isOk());
            CompletableFuture<Integer> status = new CompletableFuture<>();
            context.getBean(LockClient.class)
                    .lock("work")
                    .run(lease -> status.complete(
                            CompletableFuture.supplyAsync(() -> answer(web)).join()));
            assertThat(status.join()).isEqualTo(409);
        });
    }

    private static int answer(MockMvc web) {
        try {
            return web.perform(get("/price")).andReturn().getResponse().getStatus();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
