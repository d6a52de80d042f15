package dev.arrowdevice.python;

/** The functions of CPython's C API that we call. A {@code PyObject*} and a {@code PyThreadState*} are {@code long}. */
interface PythonApi {
    int Py_IsInitialized();

    void Py_DecRef(long object);

    int PyGILState_Ensure();

    void PyGILState_Release(int state);

    long PyGILState_GetThisThreadState();

    long PyThreadState_GetUnchecked();

    long PyEval_SaveThread();

    void PyEval_RestoreThread(long state);

    long PyCapsule_New(long pointer, long name, long destructor);

    int PyCapsule_IsValid(long capsule, long name);

    long PyCapsule_GetPointer(long capsule, long name);

    int PyCapsule_SetName(long capsule, long name);
}
