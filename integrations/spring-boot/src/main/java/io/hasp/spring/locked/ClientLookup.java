package io.hasp.spring.locked;

import io.hasp.LockClient;
import io.hasp.locked.spi.LockedMethods;
import java.lang.reflect.Method;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/** Finds the client of a locked method, without connecting it. */
record ClientLookup(ConfigurableListableBeanFactory beans) {

    /** The name of the client's bean. */
    String beanOf(Method method) {
        String wanted = LockedMethods.annotationOf(method).orElseThrow().client();
        List<String> all =
                List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, LockClient.class, true, false));
        List<String> fitting = wanted.isEmpty() ? unnamed(all) : named(all, wanted);
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        String which = wanted.isEmpty()
                ? "there "
                        + (all.isEmpty()
                                ? "is no LockClient"
                                : "are the clients " + all + " and none of them is primary")
                : "there is no client with the name '" + wanted + "' among " + all;
        throw LockedBeans.refused(
                method,
                which,
                all.stream().anyMatch(this::isOwn)
                        ? "Mark one of the LockClient beans with @Primary, or name the client: @Locked(client = \"NAME\") with"
                                + " hasp.clients.NAME.uri or a bean with @Qualifier(\"NAME\")."
                        : "Set hasp.uri for the client without a name, or hasp.clients.NAME.uri and @Locked(client = \"NAME\").",
                null);
    }

    private List<String> unnamed(List<String> all) {
        return all.size() == 1 ? all : all.stream().filter(this::isPrimary).toList();
    }

    /** A client of the application's own replaces the one of hasp.uri. */
    private boolean isOwn(String name) {
        try {
            return !(beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition)
                    || definition.getQualifier(Qualifier.class.getName()) == null;
        } catch (NoSuchBeanDefinitionException e) {
            return true;
        }
    }

    private boolean isPrimary(String name) {
        try {
            return beans.getMergedBeanDefinition(name).isPrimary();
        } catch (NoSuchBeanDefinitionException e) {
            // It was registered as an object.
            return false;
        }
    }

    private List<String> named(List<String> all, String wanted) {
        return all.stream()
                .filter(name -> BeanFactoryAnnotationUtils.isQualifierMatch(wanted::equals, name, beans))
                .toList();
    }
}
