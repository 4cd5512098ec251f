package io.hasp.examples.springboot;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance of the shop. It has Boot's own properties for its database and for Redis, and one of Hasp's: how long a lease is. */
@SpringBootApplication
@EnableScheduling
public class Shop {
    static final String PORT = "port ";

    /** Says at which port it serves, and ends with the process that started it. */
    public static void main(String[] args) throws Exception {
        ConfigurableApplicationContext shop = SpringApplication.run(Shop.class, args);
        System.out.println(PORT + shop.getEnvironment().getProperty("local.server.port"));
        while (System.in.read() >= 0) {
            // No input arrives; the read ends with the pipe.
        }
        shop.close();
    }
}
