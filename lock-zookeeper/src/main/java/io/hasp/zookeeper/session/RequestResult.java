package io.hasp.zookeeper.session;

import io.hasp.spi.BackendFailure;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The result of one request.
 *
 * @param code ZooKeeper's code
 * @param value if the code is OK
 * @param failure says more than another code, or null
 */
public record RequestResult<T>(
        Code code, @Nullable T value, @Nullable BackendFailure failure) {

    static <T> RequestResult<T> failed(Code code, BackendFailure failure) {
        return new RequestResult<>(code, null, failure);
    }

    public static <T> RequestResult<T> of(int code, @Nullable T value) {
        Code known = Code.get(code);
        return new RequestResult<>(known == null ? Code.SYSTEMERROR : known, value, null);
    }

    public boolean ok() {
        return code == Code.OK;
    }

    public boolean noNode() {
        return code == Code.NONODE;
    }

    public T get() {
        if (value == null) {
            throw new IllegalStateException("no value with " + code);
        }
        return value;
    }

    /** The value; throws the failure that the code means if there is none. */
    public T orFail(String action) {
        if (!ok()) {
            throw failure != null ? failure : ZooKeeperFailures.of(code, action);
        }
        return get();
    }
}
