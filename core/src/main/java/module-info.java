/** Arrow arrays on the JVM and their exchange, without a copy, with native runtimes in the same process. */
@SuppressWarnings("module") // testkit, which the qualified export names, is built after core.
module dev.arrowdevice.core {
    requires static transitive org.jspecify;
    requires transitive kotlin.stdlib;

    exports dev.arrowdevice.type;
    exports dev.arrowdevice.memory;
    exports dev.arrowdevice.driver;
    exports dev.arrowdevice.array;
    exports dev.arrowdevice.build;
    exports dev.arrowdevice.exchange;
    exports dev.arrowdevice.exchange.interfaces;
    exports dev.arrowdevice.dsl;
    exports dev.arrowdevice.abi to
            dev.arrowdevice.cuda,
            dev.arrowdevice.rocm,
            dev.arrowdevice.oneapi,
            dev.arrowdevice.testkit;

    uses dev.arrowdevice.memory.DeviceProvider;
}
