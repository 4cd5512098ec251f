package io.hasp.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import io.hasp.locked.Locked;
import io.hasp.spring.Boot;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.support.OpenEntityManagerInViewInterceptor;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.context.request.ServletWebRequest;

/** One persistence context for a whole request, as {@code spring.jpa.open-in-view} makes it, is older than the lock. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class OpenInViewTest {
    private static final int REQUESTS = 4;

    @Entity(name = "stock")
    static class Item {
        @Id
        long id = 1;

        int leftOver = REQUESTS;
    }

    static class Stock {
        private final EntityManager entities;

        Stock(EntityManagerFactory factory) {
            this.entities = SharedEntityManagerCreator.createSharedEntityManager(factory);
        }

        int left() {
            return Objects.requireNonNull(entities.find(Item.class, 1L)).leftOver;
        }

        @Locked("stock")
        @Transactional
        void sell() {
            Objects.requireNonNull(entities.find(Item.class, 1L)).leftOver--;
        }

        @Transactional
        void fill() {
            entities.persist(new Item());
        }
    }

    @Transactional
    static class OfItsClass {
        @Locked("a")
        void sell() {}
    }

    static class NotTransactional {
        @Locked("a")
        void sell() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class Persistence {
        @Bean
        LocalContainerEntityManagerFactoryBean entityManagerFactory() {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:view;DB_CLOSE_DELAY=-1");
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(source);
            factory.setPackagesToScan("none");
            factory.setPersistenceUnitPostProcessors(unit -> unit.addManagedClassName(Item.class.getName()));
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            Properties properties = new Properties();
            properties.setProperty("hibernate.hbm2ddl.auto", "create");
            factory.setJpaProperties(properties);
            return factory;
        }

        @Bean
        JpaTransactionManager transactionManager(EntityManagerFactory factory) {
            return new JpaTransactionManager(factory);
        }

        @Bean
        Stock stock(EntityManagerFactory factory) {
            return new Stock(factory);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InView {
        @Bean
        OpenEntityManagerInViewInterceptor openInView(EntityManagerFactory factory) {
            OpenEntityManagerInViewInterceptor interceptor = new OpenEntityManagerInViewInterceptor();
            interceptor.setEntityManagerFactory(factory);
            return interceptor;
        }
    }

    private final ApplicationContextRunner shop =
            Boot.withHasp().withPropertyValues("hasp.uri=memory://view").withUserConfiguration(Persistence.class);

    @Test
    void open_in_view_loses_updates_of_what_was_read_before_the_lock() {
        shop.withUserConfiguration(InView.class)
                .run(context -> assertThat(leftAfterAll(context)).isPositive());
        shop.run(context -> assertThat(leftAfterAll(context)).isZero());
    }

    /** Each request reads the entity, and sells when all have read it. */
    private static int leftAfterAll(ApplicationContext context) throws Exception {
        Stock stock = context.getBean(Stock.class);
        stock.fill();
        CountDownLatch read = new CountDownLatch(REQUESTS);
        ExecutorService threads = Executors.newFixedThreadPool(REQUESTS);
        try {
            Future<?>[] all = new Future<?>[REQUESTS];
            for (int i = 0; i < REQUESTS; i++) {
                all[i] = threads.submit(() -> {
                    request(context, stock, read);
                    return null;
                });
            }
            for (Future<?> each : all) {
                each.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
        return stock.left();
    }

    private static void request(ApplicationContext context, Stock stock, CountDownLatch read) throws Exception {
        ServletWebRequest request = new ServletWebRequest(new MockHttpServletRequest());
        OpenEntityManagerInViewInterceptor inView = context.getBeanProvider(OpenEntityManagerInViewInterceptor.class)
                .getIfAvailable();
        if (inView != null) {
            inView.preHandle(request);
        }
        try {
            assertThat(stock.left()).isEqualTo(REQUESTS);
            read.countDown();
            assertThat(read.await(30, TimeUnit.SECONDS)).isTrue();
            stock.sell();
        } finally {
            if (inView != null) {
                inView.afterCompletion(request, null);
            }
        }
    }

    @Test
    void a_warning_at_start_names_the_methods(CapturedOutput output) {
        shop.withUserConfiguration(InView.class)
                .withBean(OfItsClass.class)
                .run(context -> assertThat(output)
                        .contains("spring.jpa.open-in-view is on, and")
                        .contains("OfItsClass.sell()")
                        .contains("Stock.sell()"));
    }

    @Test
    void without_open_in_view_or_without_such_methods_there_is_no_warning(CapturedOutput output) {
        shop.run(context -> assertThat(context).hasNotFailed());
        Boot.withHasp()
                .withPropertyValues("hasp.uri=memory://view")
                .withBean(NotTransactional.class)
                .withBean(OpenEntityManagerInViewInterceptor.class, OpenEntityManagerInViewInterceptor::new)
                .run(context -> assertThat(output).doesNotContain("open-in-view"));
    }
}
