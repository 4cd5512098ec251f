package io.hasp;

import io.hasp.spi.UriParameters;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Splits a URI into the parameters of the engine and the rest, which the backend reads. */
record EngineParameters(URI backendUri, ClientOptions options) {
    static EngineParameters split(URI uri, ClientOptions defaults) {
        if (uri.getRawQuery() == null) {
            return new EngineParameters(uri, defaults);
        }
        List<String> rest = new ArrayList<>();
        for (String pair : uri.getRawQuery().split("&", -1)) {
            if (!UriParameters.OF_EVERY_BACKEND.contains(pair.substring(0, Math.max(0, pair.indexOf('='))))) {
                rest.add(pair);
            }
        }
        String text = uri.toString();
        String bare = text.substring(0, text.indexOf('?'));
        String fragment = uri.getRawFragment() == null ? "" : "#" + uri.getRawFragment();
        URI backendUri = URI.create(bare + (rest.isEmpty() ? "" : "?" + String.join("&", rest)) + fragment);
        return new EngineParameters(backendUri, options(uri, defaults));
    }

    private static ClientOptions options(URI uri, ClientOptions defaults) {
        try {
            UriParameters parameters = UriParameters.of(uri);
            ClientOptions options = parameters
                    .duration("renewedLease")
                    .map(defaults::renewedLease)
                    .orElse(defaults);
            options = parameters
                    .duration("unavailableAfter")
                    .map(options::unavailableAfter)
                    .orElse(options);
            options = parameters.duration("maxHold").map(options::maxHold).orElse(options);
            options = parameters
                    .text("ordering")
                    .map(EngineParameters::ordering)
                    .map(options::ordering)
                    .orElse(options);
            options = parameters.duration("keep").map(options::keep).orElse(options);
            options = parameters
                    .text("onLoss")
                    .map(EngineParameters::onLoss)
                    .map(options::onLoss)
                    .orElse(options);
            options = parameters.text("label").map(options::label).orElse(options);
            return parameters
                    .text("connect")
                    .map(EngineParameters::connect)
                    .map(options::connect)
                    .orElse(options);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(String.valueOf(e.getMessage()), e);
        }
    }

    private static Ordering ordering(String value) {
        return switch (value) {
            case "fifo" -> Ordering.FIFO;
            case "none" -> Ordering.NONE;
            default ->
                throw new IllegalArgumentException("URI parameter ordering=" + value + " is neither fifo nor none");
        };
    }

    private static OnLoss onLoss(String value) {
        return switch (value) {
            case "interrupt" -> OnLoss.INTERRUPT;
            case "continue" -> OnLoss.CONTINUE;
            default ->
                throw new IllegalArgumentException(
                        "URI parameter onLoss=" + value + " is neither interrupt nor continue");
        };
    }

    private static Connect connect(String value) {
        return switch (value) {
            case "eager" -> Connect.EAGER;
            case "lazy" -> Connect.LAZY;
            default ->
                throw new IllegalArgumentException("URI parameter connect=" + value + " is neither eager nor lazy");
        };
    }
}
