package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.hasp.LockClient;
import io.hasp.conformance.RefusedLockedMethods;
import io.hasp.locked.LockKey;
import io.hasp.locked.Locked;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.PriorityOrdered;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A lock that would silently not be taken, or be released too early, keeps the application from starting. */
class LockedRefusalsTest {
    private final ApplicationContextRunner memory = Boot.withHasp().withPropertyValues("hasp.uri=memory://refusals");

    static class OfMono {
        @Locked("a")
        Mono<String> run() {
            return Mono.empty();
        }
    }

    static class OfFlux {
        @Locked("a")
        Flux<String> run() {
            return Flux.empty();
        }
    }

    static class OfFuture {
        @Locked("a")
        Future<String> run() {
            throw new UnsupportedOperationException();
        }
    }

    static class OfCallable {
        @Locked("a")
        Callable<String> run() {
            return () -> "";
        }
    }

    static class NoSpel {
        @Locked("orders/#{#id +}")
        void run(long id) {}
    }

    static class NoVariable {
        @Locked("orders/#{#ordr.id}")
        void run(@LockKey("order") Object given) {}
    }

    static class Initializing implements InitializingBean {
        @Override
        public void afterPropertiesSet() {
            run();
        }

        @Locked("a")
        public void run() {}
    }

    static class AtItsBeginning extends Initializing {
        @Override
        @Locked("a")
        public void afterPropertiesSet() {}
    }

    static class AtItsEnd implements DisposableBean {
        @Override
        @Locked("a")
        public void destroy() {}
    }

    static class NoProperty {
        @Locked("orders/${nosuch.property}")
        void run() {}
    }

    static class OtherClient {
        @Locked(value = "a", client = "nosuch")
        void run() {}
    }

    static Stream<Arguments> refused() {
        return Stream.concat(
                RefusedLockedMethods.by("Spring"),
                Stream.of(
                        arguments(OfMono.class, "OfMono.run(): it returns a Mono, whose work may go on"),
                        arguments(OfFlux.class, "OfFlux.run(): it returns a Flux, whose work may go on"),
                        arguments(OfFuture.class, "it returns a Future, whose work may go on"),
                        arguments(OfCallable.class, "it returns a Callable, whose work may go on"),
                        arguments(NoSpel.class, "#{#id +} is no expression of SpEL"),
                        arguments(
                                NoVariable.class,
                                "#{#ordr.id}: #ordr is none of the variables, which are [p0, a0, order, given, root, this]"),
                        arguments(NoProperty.class, "nosuch.property"),
                        arguments(OtherClient.class, "there is no client with the name 'nosuch' among [lockClient]")));
    }

    @ParameterizedTest
    @MethodSource("refused")
    <T> void what_could_not_be_locked_keeps_the_application_from_starting(Class<T> type, String why) {
        memory.withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Boot.explained(context.getStartupFailure()).getMessage())
                    .contains("@Locked on " + type.getSimpleName() + ".run(", why)
                    .doesNotContain("\n");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithInitMethod {
        @Bean(initMethod = "run")
        Good good() {
            return new Good();
        }
    }

    @Test
    void a_method_that_spring_calls_on_the_object_itself_is_refused() {
        String why = "Spring calls it on the object itself when the bean begins or ends";
        memory.withBean(AtItsBeginning.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("AtItsBeginning.afterPropertiesSet(): " + why));
        memory.withBean(AtItsEnd.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("AtItsEnd.destroy(): " + why));
        memory.withUserConfiguration(WithInitMethod.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Good.run(): " + why));
        memory.withBean(Initializing.class).run(context -> assertThat(context).hasNotFailed());
    }

    static class Good {
        @Locked("a")
        void run() {}
    }

    @Test
    void a_bean_that_nobody_intercepts_is_refused() {
        memory.withInitializer(context -> context.getBeanFactory().registerSingleton("ready", new Good()))
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Good.run(): Spring does not intercept it in the bean 'ready'"));
        memory.withBean(Good.class)
                .withUserConfiguration(Early.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("Good.run(): Spring does not intercept it in the bean"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Early {
        @Bean
        static First first(Good good) {
            return new First(good);
        }

        /** Made before the one that makes proxies. */
        record First(Good needs) implements BeanPostProcessor, PriorityOrdered {
            @Override
            public int getOrder() {
                return 0;
            }
        }
    }

    @Test
    void without_a_name_one_of_several_clients_must_be_primary() {
        Supplier<LockClient> other = () -> LockClient.connect("memory://other");
        Boot.withHasp()
                .withBean(Good.class)
                .withBean("one", LockClient.class, other)
                .withBean("two", LockClient.class, other)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining(
                                "Good.run(): there are the clients [one, two] and none of them is primary"));
        Boot.withHasp()
                .withPropertyValues("hasp.clients.a.uri=memory://a", "hasp.clients.b.uri=memory://b")
                .withBean(Good.class)
                .run(context -> assertThat(Boot.explained(context.getStartupFailure()))
                        .hasMessageContaining("there are the clients [aLockClient, bLockClient]"));
        Boot.withHasp()
                .withPropertyValues("hasp.clients.a.uri=memory://a")
                .withBean(Good.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
