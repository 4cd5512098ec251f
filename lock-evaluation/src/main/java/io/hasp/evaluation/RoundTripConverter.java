package io.hasp.evaluation;

import io.hasp.evaluation.servers.Distance;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Milliseconds on the command line. */
final class RoundTripConverter implements ITypeConverter<Distance> {

    @Override
    public Distance convert(String millis) {
        try {
            return Distance.ofRoundTrip(Double.parseDouble(millis));
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + millis + "' is not a number of milliseconds");
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
