package io.hasp.guice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.inject.AbstractModule;
import com.google.inject.ConfigurationException;
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Inject;
import com.google.inject.Injector;
import com.google.inject.Module;
import com.google.inject.PrivateModule;
import com.google.inject.Provider;
import com.google.inject.Provides;
import com.google.inject.ProvisionException;
import io.hasp.Lease;
import io.hasp.LockClient;
import io.hasp.conformance.RefusedLockedMethods;
import io.hasp.locked.Locked;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A lock that would silently not be taken is an error before anything runs. */
class LockedRefusalsTest {
    private static final HaspModule HASP = HaspModule.connectingTo("memory://refusals");

    static class Future {
        @Locked("a")
        CompletionStage<String> run() {
            return CompletableFuture.completedStage("");
        }
    }

    interface Job {
        @Locked("a")
        void run();
    }

    static class JobWithout implements Job {
        @Override
        public void run() {}
    }

    interface Default {
        @Locked("a")
        default void run() {}
    }

    static class DefaultJob implements Default {}

    static class Good {
        @Locked("a")
        void run() {}
    }

    static class Overrides extends Good {
        @Override
        void run() {}
    }

    static class PrivateConstructor {
        @Inject
        private PrivateConstructor() {}

        @Locked("a")
        void run() {}
    }

    static class OtherClient {
        @Locked(value = "a", client = "nosuch")
        void run() {}
    }

    static Stream<Arguments> refused() {
        return Stream.concat(
                RefusedLockedMethods.by("Guice"),
                Stream.of(
                        arguments(Future.class, "it returns a CompletionStage, whose work may go on"),
                        arguments(JobWithout.class, "Job.run(): JobWithout.run() overrides it without the annotation"),
                        arguments(DefaultJob.class, "Default.run(): the method belongs to an interface"),
                        arguments(Overrides.class, "Good.run(): Overrides.run() overrides it without the annotation"),
                        arguments(
                                PrivateConstructor.class,
                                "Unable to method intercept: LockedRefusalsTest$PrivateConstructor"),
                        arguments(
                                OtherClient.class,
                                "No implementation for LockClient annotated with @Named(\"nosuch\")")));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void what_could_not_be_locked_is_refused_when_the_injector_is_created(Class<?> type, String why) {
        Module binding = binder -> binder.bind(type);
        assertThatThrownBy(() -> Guice.createInjector(HASP, binding))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining(why);
        Injector later = Guice.createInjector(HASP);
        assertThatThrownBy(() -> later.getInstance(type))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(why);
    }

    @Test
    void all_faults_are_told_at_once() {
        Module bindings = binder -> {
            binder.bind(RefusedLockedMethods.Private.class);
            binder.bind(Future.class);
        };
        assertThatThrownBy(() -> Guice.createInjector(HASP, bindings))
                .hasMessageContaining("Private.run()")
                .hasMessageContaining("Future.run()");
    }

    @Test
    void an_object_that_nobody_intercepts_is_refused() {
        Module instance = binder -> binder.bind(Good.class).toInstance(new Good());
        assertThatThrownBy(() -> Guice.createInjector(HASP, instance))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining("Good.run(): Guice does not intercept it in this object");

        Module provider = new AbstractModule() {
            @Provides
            Good good() {
                return new Good();
            }
        };
        Injector injector = Guice.createInjector(HASP, provider);
        assertThatThrownBy(() -> injector.getInstance(Good.class))
                .isInstanceOf(ProvisionException.class)
                .hasMessageContaining("Good.run(): Guice does not intercept it in this object");
    }

    @Test
    void an_object_that_another_injector_made_is_taken() {
        Good made = Guice.createInjector(HASP).getInstance(Good.class);
        Consumer<Module> create = module -> Guice.createInjector(HASP, module).getInstance(Good.class);
        assertThatCode(() -> create.accept(binder -> binder.bind(Good.class).toInstance(made)))
                .doesNotThrowAnyException();
        assertThatCode(() -> create.accept(binder -> binder.bind(Good.class).toProvider(() -> made)))
                .doesNotThrowAnyException();
    }

    private static class Hidden {
        private final Provider<Lease> lease;

        @Inject
        Hidden(Provider<Lease> lease) {
            this.lease = lease;
        }

        @Locked("hidden")
        String run() {
            return lease.get().name();
        }
    }

    @Test
    void a_private_class_is_locked_if_its_constructor_is_not_private() {
        Injector injector = Guice.createInjector(HASP);
        assertThat(injector.getInstance(Hidden.class).run()).isEqualTo("hidden");
        injector.getInstance(HaspShutdown.class).close();
    }

    interface Handler<T> {
        String handle(T what);
    }

    static class Numbers implements Handler<Long> {
        private final Provider<Lease> lease;

        @Inject
        Numbers(Provider<Lease> lease) {
            this.lease = lease;
        }

        @Override
        @Locked("numbers/{what}")
        public String handle(Long what) {
            return lease.get().name();
        }
    }

    /** The class lives in a private module, the client outside; the call goes through the compiler's bridge. */
    @Test
    void classes_of_private_modules_are_locked_too() {
        Module module = new PrivateModule() {
            @Override
            protected void configure() {
                bind(Numbers.class);
                expose(Numbers.class);
            }
        };
        Injector injector = Guice.createInjector(module, HASP);
        Handler<Long> handler = injector.getInstance(Numbers.class);
        assertThat(handler.handle(7L)).isEqualTo("numbers/7");
        injector.getInstance(HaspShutdown.class).close();
    }

    @Test
    void without_a_client_the_error_names_it() {
        assertThatThrownBy(() -> Guice.createInjector(new LockedModule(), binder -> binder.bind(Good.class)))
                .isInstanceOf(CreationException.class)
                .hasMessageContaining(LockClient.class.getSimpleName());
        assertThat(List.of(new LockedModule())).contains(new LockedModule());
    }
}
