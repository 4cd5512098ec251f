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

/** A test, or a class of tests, that a less thorough run than its {@link Tier} skips and lists as left to that tier. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(InTier.Condition.class)
public @interface InTier {
    /**
     * The first tier that runs it.
     *
     * @return not {@link Tier#FAST}, which runs whatever has no annotation
     */
    Tier value();

    /** Compares that tier with the one of this run. Stateless. */
    final class Condition implements ExecutionCondition {
        /** Made by JUnit. */
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
