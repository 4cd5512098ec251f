package io.hasp.spring.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if the URI of the client without a name is given, or if no client has a name. */
final class OnUnnamedClient extends SpringBootCondition {
    OnUnnamedClient() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Hasp client without a name");
        if (context.getEnvironment().containsProperty("hasp.uri")) {
            return ConditionOutcome.match(message.because("hasp.uri is set"));
        }
        return NamedClients.of(context.getEnvironment()).isEmpty()
                ? ConditionOutcome.match(message.because("there are no hasp.clients"))
                : ConditionOutcome.noMatch(message.because("there are only hasp.clients with names"));
    }
}
