package io.hasp.evaluation;

import io.hasp.evaluation.measure.Experiment;
import io.hasp.evaluation.measure.Experiments;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The names of experiments on the command line. */
final class ExperimentConverter implements ITypeConverter<Experiment> {
    @Override
    public Experiment convert(String name) {
        try {
            return Experiments.of(name);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
