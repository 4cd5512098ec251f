package io.hasp.redis;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The checks of the configurations. Each throws {@link IllegalArgumentException} naming the value and the rule. */
final class ConfigChecks {
    private ConfigChecks() {}

    static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    static void requirePrefix(String keyPrefix) {
        require(
                keyPrefix.matches("[A-Za-z0-9._:-]{1,64}"),
                "keyPrefix is '" + keyPrefix + "': it takes 1 to 64 letters, digits and . _ : -");
    }

    /** A key store or trust store, by the name of its parameter. */
    static void requireStore(String name, boolean tls, Optional<Path> store, Optional<String> password) {
        require(tls || store.isEmpty(), name + " needs the scheme rediss");
        require(store.isPresent() || password.isEmpty(), name + "Password needs a " + name);
        store.ifPresent(file -> require(Files.isReadable(file), name + " is " + file + ": it can't be read"));
    }
}
