package dev.arrowdevice

/** May change or go in any release: new, and not used enough yet to promise it. `docs/stability.md` says what each marker means. */
@RequiresOptIn("This API is new and may change or go in any release.", RequiresOptIn.Level.WARNING)
@Retention(AnnotationRetention.BINARY)
@Target(
    AnnotationTarget.CLASS,
    AnnotationTarget.FUNCTION,
    AnnotationTarget.PROPERTY,
    AnnotationTarget.CONSTRUCTOR,
    AnnotationTarget.TYPEALIAS,
)
public annotation class ExperimentalArrowApi

/**
 * Right only with care that the compiler can't check, such as bare addresses of C structs: a wrong one writes where it
 * should not. The safe way stands beside it.
 */
@RequiresOptIn(
    "This takes a bare address, which nothing checks: use the form that takes a struct or a block, or opt in.",
    RequiresOptIn.Level.ERROR,
)
@Retention(AnnotationRetention.BINARY)
@Target(
    AnnotationTarget.CLASS,
    AnnotationTarget.FUNCTION,
    AnnotationTarget.PROPERTY,
    AnnotationTarget.CONSTRUCTOR,
    AnnotationTarget.TYPEALIAS,
)
public annotation class DelicateArrowApi

/** Public for the modules of this project alone: no promise to anybody else. */
@RequiresOptIn("This is for the modules of arrow-device alone.", RequiresOptIn.Level.ERROR)
@Retention(AnnotationRetention.BINARY)
@Target(
    AnnotationTarget.CLASS,
    AnnotationTarget.FUNCTION,
    AnnotationTarget.PROPERTY,
    AnnotationTarget.CONSTRUCTOR,
    AnnotationTarget.TYPEALIAS,
)
public annotation class InternalArrowApi
