package io.hasp.spring.locked;

import io.hasp.locked.LockKey;
import io.hasp.locked.spi.ExpressionLanguage;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** SpEL, with the parameters as variables, the object as root, and beans. */
public final class SpelLanguage implements ExpressionLanguage {
    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private final SpelExpressionParser parser = new SpelExpressionParser();
    private final BeanFactoryResolver beans;

    public SpelLanguage(BeanFactory beans) {
        this.beans = new BeanFactoryResolver(beans);
    }

    @Override
    public Expression parse(String text, Method method) {
        try {
            SpelExpression parsed = parser.parseRaw(text);
            requireKnown(parsed.getAST(), names(method), text);
            return (target, arguments) -> parsed.getValue(context(target, method, arguments));
        } catch (ParseException | IllegalStateException e) {
            throw new IllegalArgumentException("#{" + text + "} is no expression of SpEL: " + e.getMessage(), e);
        }
    }

    /** Returns the allowed names of variables: {@code #root} and {@code #this} belong to the language. */
    private static Set<String> names(Method method) {
        Set<String> names = new LinkedHashSet<>();
        Parameter[] parameters = method.getParameters();
        String[] compiled = NAMES.getParameterNames(method);
        for (int i = 0; i < parameters.length; i++) {
            LockKey key = parameters[i].getAnnotation(LockKey.class);
            names.addAll(List.of("p" + i, "a" + i));
            names.add(key != null ? key.value() : "p" + i);
            names.add(compiled != null ? compiled[i] : "p" + i);
        }
        names.addAll(List.of("root", "this"));
        return names;
    }

    /** A variable that is unknown would be null in every call. */
    private static void requireKnown(SpelNode node, Set<String> names, String text) {
        if (node instanceof VariableReference) {
            String name = node.toStringAST().substring(1);
            if (!names.contains(name)) {
                throw new IllegalArgumentException("#{" + text + "}: #" + name + " is none of the variables, which are "
                        + names + "; annotate a parameter with @LockKey(\"" + name
                        + "\"), or compile with -parameters");
            }
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            requireKnown(node.getChild(i), names, text);
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
