// A small pool of threads, made on first use and kept.
#pragma once
#include <cstddef>

namespace proverd {

// Runs task(context, i) for i < tasks on at most `threads` threads, the caller's among them; tasks are
// handed out one by one. Returns when all are done; the first exception is thrown again here, and tasks not
// yet begun are then left out. Any number of threads may call at once, tasks may call again.
void run_tasks(int threads, size_t tasks, void (*task)(void* context, size_t i), void* context);

template <class Body>
void parallel_for(int threads, size_t tasks, Body&& body) {
  run_tasks(threads, tasks, [](void* context, size_t i) { (*static_cast<Body*>(context))(i); }, &body);
}

}  // namespace proverd
