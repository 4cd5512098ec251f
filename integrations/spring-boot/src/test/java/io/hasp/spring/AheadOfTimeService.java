package io.hasp.spring;

import io.hasp.LockClient;
import io.hasp.locked.Locked;
import io.hasp.spring.autoconfigure.HaspAutoConfiguration;
import io.hasp.spring.autoconfigure.LockedAutoConfiguration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The service of {@link AheadOfTimeTest}: says whether each client finds a lock taken that its locked method has. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({HaspAutoConfiguration.class, LockedAutoConfiguration.class})
class AheadOfTimeService {
    @Bean
    static Stock stock() {
        return new Stock();
    }

    public static void main(String[] args) {
        try (ConfigurableApplicationContext context = SpringApplication.run(AheadOfTimeService.class, args)) {
            Stock stock = context.getBean(Stock.class);
            context.getBeansOfType(LockClient.class)
                    .forEach((name, client) -> System.out.println(
                            name + (stock.isLocked(7, client) ? " finds it locked" : " finds it free")));
        }
    }

    static class Stock {
        @Locked("stock/#{#id}")
        boolean isLocked(long id, LockClient client) {
            return client.lock("stock/" + id).tryAcquire().isEmpty();
        }
    }
}
