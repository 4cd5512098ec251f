package io.hasp.evaluation;

import io.hasp.evaluation.servers.Backend;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The URIs of servers on the command line. What is wrong with one is said without repeating it: it may have a password. */
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
