package io.hasp.spring;

import io.hasp.locked.ExpressionLanguage;
import io.hasp.locked.LockKey;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** SpEL, with the parameters as variables, the object as root, and beans. */
final class SpelLanguage implements ExpressionLanguage {
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final BeanFactoryResolver beans;

    SpelLanguage(BeanFactory beans) {
        this.beans = new BeanFactoryResolver(beans);
    }

    @Override
    public Expression parse(String text, Method method) {
        try {
            org.springframework.expression.Expression parsed = parser.parseExpression(text);
            return (target, arguments) -> parsed.getValue(context(target, method, arguments));
        } catch (ParseException | IllegalStateException e) {
            throw new IllegalArgumentException("#{" + text + "} is no expression of SpEL: " + e.getMessage(), e);
        }
    }

    private MethodBasedEvaluationContext context(@Nullable Object target, Method method, Object[] arguments) {
        MethodBasedEvaluationContext context = new MethodBasedEvaluationContext(target, method, arguments, NAMES);
        context.setBeanResolver(beans);
        Parameter[] parameters = method.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            LockKey key = parameters[i].getAnnotation(LockKey.class);
            if (key != null) {
                context.setVariable(key.value(), arguments[i]);
            }
        }
        return context;
    }
}
