package io.hasp.spring;

import java.util.Objects;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Evaluates the bound properties of {@link ConditionalOnSwitch}. */
final class OnSwitch extends SpringBootCondition {
    OnSwitch() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Binder binder = Binder.get(context.getEnvironment());
        ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitch.class);
        String[] properties =
                (String[]) Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnSwitch.class.getName()))
                        .get("value");
        for (String property : Objects.requireNonNull(properties)) {
            if (!binder.bind(property, Boolean.class).orElse(true)) {
                return ConditionOutcome.noMatch(message.because(property + " is false"));
            }
        }
        return ConditionOutcome.match(message.because("no switch is off"));
    }
}
