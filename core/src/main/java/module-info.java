/** Arrow arrays on the JVM and their exchange, without a copy, with native runtimes in the same process. */
@SuppressWarnings("module") // The modules that the qualified exports name are built after core.
module dev.arrowdevice.core {
    requires static transitive org.jspecify;
    requires transitive kotlin.stdlib;
    requires static java.logging;
    requires static jdk.jfr;

    exports dev.arrowdevice;
    exports dev.arrowdevice.builder;
    exports dev.arrowdevice.interop;
    exports dev.arrowdevice.spi;
    exports dev.arrowdevice.internal.abi to
            dev.arrowdevice.cuda,
            dev.arrowdevice.rocm,
            dev.arrowdevice.oneapi,
            dev.arrowdevice.testkit;
    exports dev.arrowdevice.internal.memory to
            dev.arrowdevice.rocm,
            dev.arrowdevice.oneapi,
            dev.arrowdevice.testkit;

    uses dev.arrowdevice.spi.DeviceProvider;
}
