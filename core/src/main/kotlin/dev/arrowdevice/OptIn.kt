package dev.arrowdevice

/**
 * New API: it may change or be removed in any release, because it has not been used enough to promise it.
 * `docs/stability.md` says what each marker means.
 */
@RequiresOptIn("This API is new and may change or be removed in any release.", RequiresOptIn.Level.WARNING)
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
 * API that is correct only with care that the compiler can't check, such as bare addresses of C structs: a wrong
 * address is written to all the same. There is a safe form beside each.
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

/** Public for the modules of this project only. It is no promise to anybody else. */
@RequiresOptIn("This is for the modules of arrow-device only.", RequiresOptIn.Level.ERROR)
@Retention(AnnotationRetention.BINARY)
@Target(
    AnnotationTarget.CLASS,
    AnnotationTarget.FUNCTION,
    AnnotationTarget.PROPERTY,
    AnnotationTarget.CONSTRUCTOR,
    AnnotationTarget.TYPEALIAS,
)
public annotation class InternalArrowApi
