package io.hasp.spring.connection;

import io.hasp.spi.Credentials;
import io.hasp.spring.HaspConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/** Finds the one bean of a type: the only one, or the primary one. */
record BeansByType(ConfigurableListableBeanFactory beans) {

    /** A bean and its name. */
    record Named<T>(String name, T bean) {}

    <T> Optional<Named<T>> one(Class<T> type) {
        return one(ResolvableType.forClass(type), type.getSimpleName());
    }

    /** Credentials that change while the application runs. */
    Optional<Named<Supplier<Credentials>>> credentials() {
        return one(ResolvableType.forClassWithGenerics(Supplier.class, Credentials.class), "Supplier<Credentials>");
    }

    private <T> Optional<Named<T>> one(ResolvableType type, String shown) {
        try {
            T found = beans.<T>getBeanProvider(type).getIfAvailable();
            if (found == null) {
                return Optional.empty();
            }
            return Optional.of(new Named<>(nameOf(type, found, shown), found));
        } catch (NoUniqueBeanDefinitionException e) {
            String names = String.join(", ", e.getBeanNamesFound() == null ? List.of() : e.getBeanNamesFound());
            throw new HaspConfigurationException(
                    "there are several beans of type " + shown + " for the locks: " + names,
                    "Mark one of them with @Primary, or set hasp.uri.",
                    e);
        }
    }

    private String nameOf(ResolvableType type, Object bean, String otherwise) {
        return Stream.of(beans.getBeanNamesForType(type))
                .filter(name -> beans.getSingleton(name) == bean)
                .findFirst()
                .orElse(otherwise);
    }
}
