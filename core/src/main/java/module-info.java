/** Arrow arrays on the JVM and their exchange, without a copy, with native runtimes in the same process. */
module dev.arrowdevice.core {
    requires static transitive org.jspecify;
    requires transitive kotlin.stdlib;
    requires static java.logging;
    requires static jdk.jfr;

    exports dev.arrowdevice;
    exports dev.arrowdevice.builder;
    exports dev.arrowdevice.interop;
    exports dev.arrowdevice.spi;

    uses dev.arrowdevice.spi.DeviceProvider;
}
