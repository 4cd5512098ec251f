package io.hasp.zookeeper.mutants;

import java.util.Comparator;
import java.util.UUID;

/** Sorts whole names, which begin with the client's id: a newcomer may come before the holder. */
final class OrderByName extends RecipeLock {

    OrderByName(String address) {
        super(address);
    }

    @Override
    String prefix() {
        return UUID.randomUUID() + "-";
    }

    @Override
    Comparator<String> order() {
        return Comparator.naturalOrder();
    }
}
