/** Record batches as data frames of Kotlin DataFrame, and back. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Kotlin DataFrame is no module yet.
module dev.arrowdevice.dataframe {
    requires static org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive kotlin.stdlib;
    requires kotlin.reflect;
    requires kotlinx.datetime;
    requires transitive dataframe.core;

    exports dev.arrowdevice.dataframe;
}
