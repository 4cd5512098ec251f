package kotlin.sequences;

import java.util.Iterator;

/** Stands for the type of Kotlin's library, which is known by its name. */
public interface Sequence<T> {
    /** Its elements. */
    Iterator<T> iterator();
}
