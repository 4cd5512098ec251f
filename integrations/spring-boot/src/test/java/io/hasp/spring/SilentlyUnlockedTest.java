package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.locked.Locked;
import io.hasp.spring.other.Elsewhere;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kotlin.sequences.Sequence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Methods whose lock would silently not be taken, or not be held for their work. */
class SilentlyUnlockedTest {
    private final ApplicationContextRunner memory = Boot.withHasp().withPropertyValues("hasp.uri=memory://unlocked");

    static class Here extends Elsewhere {}

    @Test
    void a_package_private_method_of_another_package_is_refused() {
        memory.withBean(Here.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Elsewhere.run(): the method is package-private"));
        memory.withBean(Elsewhere.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Closing implements AutoCloseable {
        @Override
        @Locked("a")
        public void close() {}
    }

    static class Ending {
        @Locked("a")
        public void shutdown() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Inferred {
        @Bean
        Ending ending() {
            return new Ending();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NotCalled {
        @Bean(destroyMethod = "")
        Closing closing() {
            return new Closing();
        }
    }

    @Test
    void a_method_that_spring_infers_as_the_end_of_a_bean_is_refused() {
        memory.withBean(Closing.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Closing.close(): Spring calls it on the object itself"));
        memory.withUserConfiguration(Inferred.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Ending.shutdown(): Spring calls it on the object itself"));
        memory.withUserConfiguration(NotCalled.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    interface Results {
        Optional<CompletableFuture<String>> optional();

        List<? extends Future<String>> list();

        Map<String, List<CompletableFuture<String>>> map();

        Future<?>[] array();

        CompletableFuture<Stream<String>> stage();

        Supplier<String> supplier();

        Iterator<String> iterator();

        Callable<String> callable();

        ResponseEntity<StreamingResponseBody> streamed();

        Sequence<String> sequence();
    }

    static class Annotated implements Results {
        @Override
        @Locked("a")
        public Optional<CompletableFuture<String>> optional() {
            return Optional.empty();
        }

        @Override
        @Locked("a")
        public List<? extends Future<String>> list() {
            return List.of();
        }

        @Override
        @Locked("a")
        public Map<String, List<CompletableFuture<String>>> map() {
            return Map.of();
        }

        @Override
        @Locked("a")
        public Future<?>[] array() {
            return new Future<?>[0];
        }

        @Override
        @Locked("a")
        public CompletableFuture<Stream<String>> stage() {
            return new CompletableFuture<>();
        }

        @Override
        @Locked("a")
        public Supplier<String> supplier() {
            return () -> "";
        }

        @Override
        @Locked("a")
        public Iterator<String> iterator() {
            return List.of("").iterator();
        }

        @Override
        @Locked("a")
        public Callable<String> callable() {
            return () -> "";
        }

        @Override
        @Locked("a")
        public ResponseEntity<StreamingResponseBody> streamed() {
            return ResponseEntity.ok(out -> {});
        }

        @Override
        @Locked("a")
        public Sequence<String> sequence() {
            return List.<String>of()::iterator;
        }

        @Locked("a")
        public List<Class<? extends Future<?>>> values() {
            return List.of();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"optional", "list", "map", "array", "stage", "supplier", "iterator", "callable", "sequence"})
    void a_result_whose_work_outlives_the_method_is_refused_wherever_it_is_hidden(String method) {
        for (io.hasp.locked.spi.LockedMethods each : List.of(
                io.hasp.locked.spi.LockedMethods.holdingStages("Spring"),
                io.hasp.locked.spi.LockedMethods.refusingFutures("Guice"))) {
            Map<String, String> problems = new java.util.HashMap<>();
            each.in(Annotated.class, (bad, why) -> problems.put(bad.getName(), why));
            assertThat(problems).doesNotContainKey("values");
            assertThat(problems.get(method))
                    .startsWith("it returns a ")
                    .contains("may go on after the lock was released");
        }
    }

    @Test
    void a_streamed_body_in_a_response_is_refused_in_spring() {
        Map<String, String> problems = new java.util.HashMap<>();
        io.hasp.locked.spi.LockedMethods.holdingStages("Spring")
                .in(Annotated.class, (bad, why) -> problems.put(bad.getName(), why));
        assertThat(problems.get("streamed"))
                .startsWith("it returns a ")
                .contains("may go on after the lock was released");
    }
}
