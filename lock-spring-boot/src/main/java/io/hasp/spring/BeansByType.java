package io.hasp.spring;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Finds the one bean of a type: the only one, or the primary one. */
record BeansByType(ConfigurableListableBeanFactory beans) {

    /** A bean and its name. */
    record Named<T>(String name, T bean) {}

    <T> Optional<Named<T>> one(Class<T> type) {
        try {
            T found = beans.getBeanProvider(type).getIfAvailable();
            if (found == null) {
                return Optional.empty();
            }
            return Optional.of(new Named<>(nameOf(type, found), found));
        } catch (NoUniqueBeanDefinitionException e) {
            String names = String.join(", ", e.getBeanNamesFound() == null ? List.of() : e.getBeanNamesFound());
            throw new HaspConfigurationException(
                    "there are several beans of type " + type.getSimpleName() + " for the locks: " + names,
                    "Mark one of them with @Primary, or set hasp.uri.",
                    e);
        }
    }

    private <T> String nameOf(Class<T> type, T bean) {
        return Stream.of(beans.getBeanNamesForType(type))
                .filter(name -> beans.getSingleton(name) == bean)
                .findFirst()
                .orElse(type.getSimpleName());
    }
}
