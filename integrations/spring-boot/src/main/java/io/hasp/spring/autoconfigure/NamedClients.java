package io.hasp.spring.autoconfigure;

import io.hasp.LockClient;
import io.hasp.spring.HaspProperties;
import io.hasp.spring.connection.ClientOpener;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConstructorArgumentValues;
import org.springframework.beans.factory.config.RuntimeBeanReference;
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
        of(environment).keySet().forEach(name -> {
            String bean = name + "LockClient";
            // Declared by a method and its arguments: ahead-of-time processing generates code for these, but not for a
            // supplier.
            RootBeanDefinition client = new RootBeanDefinition(NamedClients.class);
            client.setTargetType(LockClient.class);
            client.setFactoryMethodName("connect");
            ConstructorArgumentValues arguments = client.getConstructorArgumentValues();
            arguments.addIndexedArgumentValue(0, new RuntimeBeanReference(HaspAutoConfiguration.OPENER));
            arguments.addIndexedArgumentValue(1, name);
            arguments.addIndexedArgumentValue(2, bean);
            client.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            client.setDestroyMethodName("close");
            registry.registerBeanDefinition(bean, client);
        });
    }

    static LockClient connect(ClientOpener opener, String name, String bean) {
        return opener.named(name, bean);
    }
}
