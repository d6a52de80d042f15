package dev.arrowdevice.testkit

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContain
import java.lang.module.ModuleDescriptor

class ModuleTest :
    FunSpec({
        test("the module has its documented name") {
            val modules =
                ClassLoader
                    .getSystemResources("module-info.class")
                    .asSequence()
                    .map { url -> url.openStream().use(ModuleDescriptor::read).name() }
                    .toList()
            modules shouldContain "dev.arrowdevice.testkit"
        }
    })
