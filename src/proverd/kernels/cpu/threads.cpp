#include "cpu/threads.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

namespace proverd {
namespace {

constexpr size_t MOST_WORKERS = 255;

struct Job {
  void (*task)(void*, size_t);
  void* context;
  size_t tasks;
  size_t places;  // workers that may still join; guarded by the pool's mutex
  size_t joined = 0;
  std::atomic<size_t> next{0};
  std::exception_ptr error{};
  std::condition_variable left{};

  // Takes tasks until none is left; records the first exception.
  void work(std::mutex& mutex) {
    try {
      for (size_t i; (i = next.fetch_add(1)) < tasks;) task(context, i);
    } catch (...) {
      next = tasks;
      std::lock_guard<std::mutex> lock(mutex);
      if (!error) error = std::current_exception();
    }
  }
};

class Pool {
 public:
  void run(Job& job) {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      try {
        for (size_t wanted = std::min(job.places, MOST_WORKERS); workers_ < wanted; workers_++) {
          std::thread([this] { serve(); }).detach();
        }
      } catch (const std::system_error&) {
        // No more threads can be had: those there are, and the caller, do the work.
      }
      jobs_.push_back(&job);
    }
    wake_.notify_all();
    job.work(mutex_);
    std::unique_lock<std::mutex> lock(mutex_);
    jobs_.erase(std::find(jobs_.begin(), jobs_.end(), &job));
    job.left.wait(lock, [&] { return job.joined == 0; });
  }

 private:
  Job* open_job() {
    for (Job* job : jobs_) {
      if (job->places > 0 && job->next.load() < job->tasks) return job;
    }
    return nullptr;
  }

  [[noreturn]] void serve() {
    std::unique_lock<std::mutex> lock(mutex_);
    for (;;) {
      Job* job;
      wake_.wait(lock, [&] { return (job = open_job()) != nullptr; });
      job->places--;
      job->joined++;
      lock.unlock();
      job->work(mutex_);
      lock.lock();
      if (--job->joined == 0) job->left.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job*> jobs_;
  size_t workers_ = 0;
};

// Never destroyed: workers are detached and may wait on it while the process exits. A forked child has no
// workers, so it starts with a pool of its own.
std::atomic<Pool*> pool{nullptr};

Pool& the_pool() {
  static std::once_flag once;
  std::call_once(once, [] {
    pool = new Pool;
    pthread_atfork(nullptr, nullptr, [] { pool = new Pool; });
  });
  return *pool;
}

}  // namespace

void run_tasks(int threads, size_t tasks, void (*task)(void* context, size_t i), void* context) {
  size_t most = std::min(tasks, static_cast<size_t>(std::max(threads, 1)));
  if (most <= 1) {
    for (size_t i = 0; i < tasks; i++) task(context, i);
    return;
  }
  Job job{task, context, tasks, most - 1};
  the_pool().run(job);
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace proverd
