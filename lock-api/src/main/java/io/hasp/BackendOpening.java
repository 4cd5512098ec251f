package io.hasp;

import static io.hasp.InvalidArgumentException.required;

import io.hasp.engine.OnDemandBackend;
import io.hasp.spi.BackendContext;
import io.hasp.spi.BackendDeclaration;
import io.hasp.spi.BackendSource;
import io.hasp.spi.Capabilities;
import io.hasp.spi.LockBackend;
import java.time.Duration;
import java.util.Optional;

/** Opens the backend of a client, and refuses a backend without the capabilities that the options need. */
final class BackendOpening {
    private BackendOpening() {}

    /** Opens the backend now, or with its first call if the client connects lazily. */
    static LockBackend open(BackendSource given, BackendContext context, ClientOptions options) {
        BackendSource source = checked(given, options);
        Optional<BackendDeclaration> declared = source.declaration();
        if (options.connect() == Connect.EAGER) {
            return declared.isPresent() ? OnDemandBackend.now(source, declared.get(), context) : source.open(context);
        }
        BackendDeclaration ahead = declared.orElseThrow(() -> new UnsupportedCapabilityException(
                "connect is LAZY, which this backend does not offer: what it promises is not known before it is"
                        + " connected",
                null));
        requireOffered(ahead.capabilities(), options);
        return OnDemandBackend.later(source, ahead, context);
    }

    /** Refuses a backend without the capabilities that the options need, whenever it is opened. */
    private static BackendSource checked(BackendSource source, ClientOptions options) {
        BackendSource checked = context -> {
            LockBackend backend = required("what the backend source opened", source.open(context));
            try {
                requireOffered(backend.capabilities(), options);
                return backend;
            } catch (RuntimeException | Error e) {
                backend.close();
                throw e;
            }
        };
        return source.declaration().map(checked::declaring).orElse(checked);
    }

    private static void requireOffered(Capabilities offered, ClientOptions options) {
        requireOrdering(offered, options);
        requireRecalls(offered, options);
    }

    private static void requireOrdering(Capabilities capabilities, ClientOptions options) {
        if (options.ordering() == Ordering.FIFO && capabilities.ordering() != Capabilities.Ordering.FIFO) {
            throw new UnsupportedCapabilityException("ordering is FIFO, which this backend does not offer", null);
        }
    }

    private static void requireRecalls(Capabilities capabilities, ClientOptions options) {
        Duration keep = options.keep().orElse(null);
        if (keep == null) {
            return;
        }
        if (!capabilities.recalls()) {
            throw new UnsupportedCapabilityException(
                    "keep is " + keep
                            + ", but this backend can't tell a client that keeps a lock when another one wants it",
                    null);
        }
        Duration longest = capabilities.longestKeep().orElse(keep);
        if (keep.compareTo(longest) > 0) {
            throw new InvalidArgumentException(
                    "keep is " + keep + ": it must be at most " + longest + ", a third of the session timeout", null);
        }
    }
}
