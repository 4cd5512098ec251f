package io.hasp.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Assigns a test, or a class of tests, to a {@link Tier}. Less thorough runs skip it and list it as left to that tier.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(InTier.Condition.class)
public @interface InTier {
    /**
     * The least thorough tier that runs it.
     *
     * @return not {@link Tier#FAST}: tests without this annotation run there
     */
    Tier value();

    /** Compares the annotated tier with the tier of this run. Stateless. */
    final class Condition implements ExecutionCondition {
        /** Created by JUnit. */
        public Condition() {}

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), InTier.class)
                    .map(InTier::value)
                    .filter(least -> !Tier.includes(least))
                    .map(least ->
                            ConditionEvaluationResult.disabled("left to the " + least + " tier: mvn verify -P" + least))
                    .orElseGet(() -> ConditionEvaluationResult.enabled("of this tier"));
        }
    }
}
