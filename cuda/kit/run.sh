#!/bin/sh
# Tests arrow-device on this machine's NVIDIA GPU 0, and writes a report. Needs Linux on x86-64 with NVIDIA's driver, and nothing else.
#
#     ./run.sh [OPTION...] [STEP...]
#
# Without a step it runs all of these: devices probe contract-DEVICE contract-HOST contract-MANAGED kernel exits-return
# exits-exit exits-thread copies. With --cancellations N it also cancels N waits; 100000 take some minutes. Where the second archive
# is unpacked too, there are also pipeline, and python, which tests the machine's own Python with what it has of CuPy, Numba
# and PyTorch.
#
#     --out FOLDER        where report.txt and the logs go: report by default
#     --limit PERCENT     of the time that each step may take: 100 by default
#     --short             measures less
#     --cancellations N   one more step
#     --simulated         on the simulated driver of this kit, which needs no GPU; SIM_MODES=N chooses its modes
set -u

here=$(cd "$(dirname "$0")" && pwd)
out=report
percent=100
short=
cancellations=
chosen=
properties="-Dcuda.driver=real"
steps=0
failed=0

usage() {
    sed -n '2,/^set/s/^#\( \|$\)//p' "$here/run.sh"
}

while [ $# -gt 0 ]; do
    case $1 in
        --out) out=$2; shift ;;
        --limit) percent=$2; shift ;;
        --short) short=short ;;
        --cancellations) cancellations=$2; shift ;;
        --simulated) properties="$properties -Ddev.arrowdevice.cuda.library=$here/simulated/libcuda.so.1" ;;
        -h | --help) usage; exit ;;
        -*) usage >&2; exit 2 ;;
        *) chosen="$chosen $1 " ;;
    esac
    shift
done

mkdir -p "$out/logs" || exit 2
out=$(cd "$out" && pwd)
report=$out/report.txt
class_path=
for entry in "$here"/classes/* "$here"/jars/*.jar; do
    class_path=$class_path:$entry
done
class_path=${class_path#:}

say() {
    printf '%s\n' "$*" | tee -a "$report"
}

# The stacks of a process that takes too long: those of Java from the JVM, and where the kernel has each of its threads.
dump() {
    {
        echo "Threads in the kernel:"
        for task in /proc/"$1"/task/*; do
            echo "${task##*/} $(cat "$task/comm") $(cat "$task/wchan") $(cut -d ' ' -f 1 "$task/syscall")"
        done
    } >> "$2" 2> /dev/null
    kill -QUIT "$1"
    sleep 3
}

# Becomes a program of the kit.
jvm() {
    # shellcheck disable=SC2086
    exec "$here/java/bin/java" -Xmx1g -XX:-CreateCoredumpOnCrash "-XX:ErrorFile=$out/logs/$name.crash" \
        -Dstdout.encoding=UTF-8 -Dstderr.encoding=UTF-8 --enable-native-access=ALL-UNNAMED $properties -cp "$class_path" "$@"
}

# Runs a command, which its process becomes: the step, its limit in seconds, the command.
step() {
    name=$1
    limit=$(($2 * percent / 100))
    shift 2
    case $chosen in
        "" | *" $name "*) ;;
        *) return ;;
    esac
    log=$out/logs/$name.log
    start=$(date +%s)
    "$@" > "$log" 2> "$log.errors" < /dev/null &
    pid=$!
    hangs=
    while kill -0 $pid 2> /dev/null; do
        if [ $(($(date +%s) - start)) -ge "$limit" ] && [ -z "$hangs" ]; then
            hangs=yes
            dump $pid "$log.threads"
            kill -KILL $pid
        fi
        sleep 0.2 2> /dev/null || sleep 1
    done
    wait $pid
    status=$?
    steps=$((steps + 1))
    if [ -n "$hangs" ]; then
        result="HANGS, ended after $limit s; its threads are in logs/$name.log"
    elif [ $status -ne 0 ]; then
        result="FAILED with $status"
    else
        result=passed
    fi
    [ "$result" = passed ] || failed=$((failed + 1))
    say "== $name: $result, $(($(date +%s) - start)) s"
    sed '/^Full thread dump/,$d' "$log" | tee -a "$report"
    if [ "$result" != passed ]; then
        tail -n 30 "$log.errors" | tee -a "$report"
        [ ! -e "$log.threads" ] || cat "$log.threads" >> "$log"
        [ ! -e "$out/logs/$name.crash" ] || sed -n '/^# Problematic frame/,/^#$/p; /^Stack:/,/^$/p' "$out/logs/$name.crash" | tee -a "$report"
    fi
}

processors=0
while read -r key rest; do
    [ "$key" != processor ] || processors=$((processors + 1))
done < /proc/cpuinfo

: > "$report"
say "arrow-device, $(cat "$here/version")"
say "$(date -u '+%Y-%m-%d %H:%M UTC'), $(uname -srm), $(sed -n 's/^PRETTY_NAME=//p' /etc/os-release 2> /dev/null), $processors processors"
command -v nvidia-smi > /dev/null && say "$(nvidia-smi --query-gpu=index,name,driver_version,memory.total,pci.bus_id --format=csv,noheader 2>&1)"

program=dev.arrowdevice.cuda.program
step devices 60 jvm $program.FindsDevices
step probe 300 jvm $program.ProbesDriver $short
for kind in DEVICE HOST MANAGED; do
    step contract-$kind 300 jvm $program.RunsContract "" $kind all
done
step kernel 60 jvm $program.LaunchesKernel
for end in return exit thread; do
    step exits-$end 60 jvm $program.ExitsWhilePending $end
done
step copies 300 jvm $program.TimesCopies $short
[ -z "$cancellations" ] || step cancellations 1200 jvm $program.CancelsWaits "$cancellations"
if [ -d "$here/more" ]; then
    class_path=
    for entry in "$here"/more/classes/* "$here"/more/jars/*.jar; do
        class_path=$class_path:$entry
    done
    class_path=${class_path#:}
    # NVRTC of CUDA 12, which a Python package may have.
    nvrtc=$(python3 -c 'import glob, sys; print(*[f for p in sys.path for f in glob.glob(p + "/nvidia/*/lib/libnvrtc.so.12")])' 2> /dev/null)
    [ -z "$nvrtc" ] || properties="$properties -Ddev.arrowdevice.cuda.nvrtc=${nvrtc%% *}"
    step pipeline 300 jvm dev.arrowdevice.samples.gpu.GpuPipelineMain ${short:+200000}
    # Of JPype there is one for each version of Python; of others the machine's own is taken.
    jpype=$here/more/jpype-$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2> /dev/null)
    step python 300 env "PYTHONPATH=$here/more/python:$jpype${PYTHONPATH:+:$PYTHONPATH}" JAVA_HOME="$here/java" \
        python3 "$here/more/python/peers.py" "$class_path" $properties
fi

say "$((steps - failed)) of $steps steps passed; the report is $report"
[ $failed -eq 0 ] && [ $steps -gt 0 ]
