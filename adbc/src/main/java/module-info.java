/** Databases over ADBC, whose drivers are shared libraries: no native library of ours, no JNI. */
module dev.arrowdevice.adbc {
    requires static transitive org.jspecify;
    requires transitive dev.arrowdevice.core;
    requires transitive dev.arrowdevice.coroutines;
    requires transitive kotlin.stdlib;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.toml;

    exports dev.arrowdevice.adbc;
}
