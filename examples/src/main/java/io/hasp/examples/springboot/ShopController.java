package io.hasp.examples.springboot;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code POST /items/1/sales}: 201 if one was sold, 410 if there is none left. */
@RestController
class ShopController {
    private final Stock stock;
    private final String instance;

    ShopController(Stock stock, @Value("${shop.instance}") String instance) {
        this.stock = stock;
        this.instance = instance;
    }

    @PostMapping("/items/{item}/sales")
    ResponseEntity<String> sell(@PathVariable("item") long item) {
        return stock.sell(item, instance)
                ? ResponseEntity.status(201).body("sold")
                : ResponseEntity.status(410).body("sold out");
    }
}
