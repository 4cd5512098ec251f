package io.hasp.zookeeper;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What came back for one request: a value if the code is OK. */
record Reply<T>(Code code, @Nullable T value) {

    static <T> Reply<T> of(int code, @Nullable T value) {
        Code known = Code.get(code);
        return new Reply<>(known == null ? Code.SYSTEMERROR : known, value);
    }

    boolean ok() {
        return code == Code.OK;
    }

    boolean noNode() {
        return code == Code.NONODE;
    }

    T get() {
        if (value == null) {
            throw new IllegalStateException("no value with " + code);
        }
        return value;
    }

    /** The value, or the failure that the code means. */
    T orFail(String asked) {
        if (!ok()) {
            throw Failures.of(code, asked);
        }
        return get();
    }
}
