// Package main is arrow-go as a peer in the C data, C stream and async device stream interfaces, built as a C shared
// library. Numbers cross the boundary, nothing else: addresses of structs and texts, and the numbers of what is held here.
package main

// #include <stdint.h>
// #include <stdlib.h>
// #include <string.h>
import "C"

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory/mallocator"
)

func main() {}

// Arrays that C sees must not lie in memory that the garbage collector manages.
var memory = mallocator.NewMallocator()

// A job is one stream, on either side of it.
type job struct {
	producer *producer
	consumer *consumer
	failure  error
}

var (
	jobs    = map[int64]*job{}
	lastJob int64
	lock    sync.Mutex
)

func add(j *job) C.int64_t {
	lock.Lock()
	defer lock.Unlock()
	lastJob++
	jobs[lastJob] = j
	return C.int64_t(lastJob)
}

func get(id C.int64_t) *job {
	lock.Lock()
	defer lock.Unlock()
	return jobs[int64(id)]
}

func handlerAt(address C.uintptr_t) *cdata.CArrowAsyncDeviceStreamHandler {
	// Not a conversion from a number to a pointer, which vet takes for a mistake.
	return *(**cdata.CArrowAsyncDeviceStreamHandler)(unsafe.Pointer(&address))
}

// peer_job_allocated returns the bytes of arrays that arrow-go has made and not freed.
//
//export peer_job_allocated
func peer_job_allocated() C.int64_t {
	return C.int64_t(memory.AllocatedBytes())
}

// peer_job_error writes the text of what the job failed with, cut to the size and with a zero at its end, and returns the
// code that came with it: 0 if there was no failure, -1 if it has no code. It waits for the end of a producer.
//
//export peer_job_error
func peer_job_error(id C.int64_t, text *C.char, size C.int64_t) C.int64_t {
	j := get(id)
	if j.producer != nil {
		<-j.producer.ended
	}
	failure := j.failure
	if failure == nil {
		return 0
	}
	message := C.CString(failure.Error())
	defer C.free(unsafe.Pointer(message))
	C.strncpy(text, message, C.size_t(size-1))
	var reported cdata.AsyncStreamError
	if errors.As(failure, &reported) {
		return C.int64_t(reported.Code)
	}
	return -1
}

// peer_job_close waits for the end of the job and forgets it.
//
//export peer_job_close
func peer_job_close(id C.int64_t) {
	j := get(id)
	if j.producer != nil {
		<-j.producer.ended
		<-j.producer.fed
	}
	if j.consumer != nil {
		j.consumer.close()
	}
	lock.Lock()
	defer lock.Unlock()
	delete(jobs, int64(id))
}
