package io.hasp;

import io.hasp.engine.threads.EngineThreads;
import io.hasp.spi.BackendContext;
import io.hasp.spi.Finding;
import io.hasp.spi.LockBackendProvider;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** Runs the checks of a backend, with threads of their own and without a client. */
final class ServiceDiagnosis {
    private ServiceDiagnosis() {}

    static List<Finding> of(URI uri) {
        ServiceUri.authority(uri);
        LockBackendProvider provider = BackendLookup.usual().find(uri);
        EngineParameters parameters = EngineParameters.split(uri, ClientOptions.defaults());
        parameters.options().check();
        String clientId = LockClient.newId();
        EngineThreads threads = new EngineThreads(clientId, Optional.empty(), Optional.empty());
        try {
            BackendContext context = new BackendContext(clientId, threads.timing, threads.background);
            return LockClient.translated(
                    "could not check " + ServiceUri.withoutCredentials(uri),
                    () -> List.copyOf(provider.diagnose(parameters.backendUri(), context)));
        } finally {
            threads.stop();
        }
    }
}
