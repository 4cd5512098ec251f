package io.hasp.evaluation;

import io.hasp.evaluation.servers.Backend;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the URIs of servers on the command line. An error message never repeats the URI: it may contain a password. */
final class BackendConverter implements ITypeConverter<Backend> {

    @Override
    public Backend convert(String uri) {
        try {
            return Backend.of(uri);
        } catch (RuntimeException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
