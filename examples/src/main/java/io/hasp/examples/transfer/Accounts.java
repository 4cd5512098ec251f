package io.hasp.examples.transfer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Accounts that refuse a holder whose lock was given to another one: each keeps the largest token that was shown to it. Thread-safe. */
final class Accounts {
    private static final Account EMPTY = new Account(0, 0);

    private final Map<String, Account> all = new ConcurrentHashMap<>();

    private record Account(long balance, long lastToken) {
        Account shown(long token) {
            if (token < lastToken) {
                throw new IllegalStateException("token " + token + " is smaller than the latest one");
            }
            return new Account(balance, token);
        }
    }

    long read(String account, long token) {
        return all.merge(account, EMPTY.shown(token), (present, first) -> present.shown(token))
                .balance();
    }

    void write(String account, long token, long balance) {
        all.compute(account, (name, present) -> {
            Account shown = (present == null ? EMPTY : present).shown(token);
            return new Account(balance, shown.lastToken());
        });
    }

    long balance(String account) {
        return all.getOrDefault(account, EMPTY).balance();
    }
}
