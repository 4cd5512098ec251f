package io.hasp.zookeeper;

import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** The result of one request: ZooKeeper's code, and a value if the code is OK. */
record RequestResult<T>(Code code, @Nullable T value) {

    static <T> RequestResult<T> of(int code, @Nullable T value) {
        Code known = Code.get(code);
        return new RequestResult<>(known == null ? Code.SYSTEMERROR : known, value);
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

    /** The value; throws the failure that the code means if there is none. */
    T orFail(String action) {
        if (!ok()) {
            throw ZooKeeperFailures.of(code, action);
        }
        return get();
    }
}
