package io.hasp.spring;

import io.hasp.LockClient;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** A bean for each of {@code hasp.clients}, to be injected by {@code @Qualifier} with its name. */
final class NamedClients implements ImportBeanDefinitionRegistrar {
    private final Environment environment;

    NamedClients(Environment environment) {
        this.environment = environment;
    }

    static Map<String, HaspProperties.Client> of(Environment environment) {
        return Binder.get(environment)
                .bind("hasp.clients", Bindable.mapOf(String.class, HaspProperties.Client.class))
                .orElse(Map.of());
    }

    @Override
    public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
        ConfigurableListableBeanFactory beans = (ConfigurableListableBeanFactory) registry;
        of(environment).keySet().forEach(name -> {
            String bean = name + "LockClient";
            RootBeanDefinition client = new RootBeanDefinition(
                    LockClient.class, () -> beans.getBean(ClientOpener.class).named(name, bean));
            client.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            client.setDestroyMethodName("close");
            client.setDependsOn(HaspAutoConfiguration.OPENER);
            registry.registerBeanDefinition(bean, client);
        });
    }
}
