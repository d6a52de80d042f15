package dev.arrowdevice.benchmarks

/** All tasks, in the order of the table. */
internal val catalogue: List<Task> =
    exchangeTasks + peerTasks + bridgeTasks + scalingTasks + dataTasks + buildTasks + classTasks + operationTasks +
        validationTasks +
        streamTasks +
        deviceTasks +
        processTasks +
        threadTasks +
        databaseTasks +
        ipcTasks
