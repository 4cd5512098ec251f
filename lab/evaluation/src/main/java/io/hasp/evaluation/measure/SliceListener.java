package io.hasp.evaluation.measure;

/** A client with activities during its measurement only: they burden every lock of its process. */
public interface SliceListener {
    /** Does nothing. */
    SliceListener NONE = new SliceListener() {
        @Override
        public void sliceBegins() {}

        @Override
        public void sliceEnds() {}
    };

    /** A slice is about to begin. */
    void sliceBegins();

    /** A slice has ended. */
    void sliceEnds();
}
