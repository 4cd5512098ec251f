package io.hasp.spring;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.hasp.Lease;
import io.hasp.LockBusyException;
import io.hasp.LockClient;
import io.hasp.locked.Locked;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validation;
import jakarta.validation.ValidatorFactory;
import jakarta.validation.constraints.Positive;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** {@code @Validated} on a class with locked methods. */
@Timeout(60)
class ValidatedMethodsTest {
    @Validated
    static class Work {
        @Locked(value = "validated", waitAtMost = "0s")
        public int run(@Positive int number) {
            return number;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Validating {
        @Bean
        static ValidatorFactory validatorFactory() {
            return Validation.byDefaultProvider()
                    .configure()
                    .messageInterpolator(new ParameterMessageInterpolator())
                    .buildValidatorFactory();
        }

        @Bean
        static MethodValidationPostProcessor methodValidation(ValidatorFactory factory) {
            MethodValidationPostProcessor processor = new MethodValidationPostProcessor();
            processor.setValidatorFactory(factory);
            return processor;
        }

        @Bean
        Work work() {
            return new Work();
        }
    }

    @Test
    void arguments_are_validated_under_the_lock() {
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://validated")
                .withUserConfiguration(Validating.class)
                .run(context -> {
                    Work work = context.getBean(Work.class);
                    assertThatExceptionOfType(ConstraintViolationException.class)
                            .isThrownBy(() -> work.run(-1));
                    Lease held = CompletableFuture.supplyAsync(() -> context.getBean(LockClient.class)
                                    .lock("validated")
                                    .tryAcquire())
                            .get(10, TimeUnit.SECONDS)
                            .orElseThrow();
                    assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> work.run(-1));
                    held.close();
                });
    }
}
