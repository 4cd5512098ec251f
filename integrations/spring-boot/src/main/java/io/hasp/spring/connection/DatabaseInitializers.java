package io.hasp.spring.connection;

import java.util.List;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.util.ClassUtils;

/** The beans that prepare the databases of the application, such as those of Flyway and Liquibase. */
final class DatabaseInitializers {
    private static final String DETECTOR = "org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector";

    private DatabaseInitializers() {}

    /** Waits for them: the tables of the locks may be theirs, and Flyway refuses a schema that has tables before its own. */
    static void complete(ConfigurableListableBeanFactory beans) {
        if (ClassUtils.isPresent(DETECTOR, beans.getBeanClassLoader())) {
            Detectors.load(beans).stream()
                    .flatMap(detector -> detector.detect(beans).stream())
                    .distinct()
                    .forEach(name -> complete(beans, name));
        }
    }

    private static void complete(ConfigurableListableBeanFactory beans, String name) {
        try {
            beans.getBean(name);
        } catch (BeansException e) {
            // One that uses a lock itself can't come before the client.
            if (!(e.getMostSpecificCause() instanceof BeanCurrentlyInCreationException)) {
                throw e;
            }
        }
    }

    /** Loaded only if Boot's part for databases is there. */
    private static final class Detectors {
        static List<DatabaseInitializerDetector> load(ConfigurableListableBeanFactory beans) {
            return SpringFactoriesLoader.forDefaultResourceLocation(beans.getBeanClassLoader())
                    .load(
                            DatabaseInitializerDetector.class,
                            ArgumentResolver.of(Environment.class, beans.getBean(Environment.class)));
        }
    }
}
