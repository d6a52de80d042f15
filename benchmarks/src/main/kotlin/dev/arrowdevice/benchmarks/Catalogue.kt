package dev.arrowdevice.benchmarks

/** All tasks, in the order of the table. */
internal val catalogue: List<Task> =
    exchangeTasks + peerTasks + scalingTasks + dataTasks + buildTasks + validationTasks + streamTasks + deviceTasks +
        processTasks +
        threadTasks +
        databaseTasks
