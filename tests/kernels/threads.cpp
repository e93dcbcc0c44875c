// The pool of threads, from many callers. Compiled by test_threads.py. Each function counts its mistakes.
#include "cpu/threads.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using proverd::parallel_for;

// Every task is done exactly once.
extern "C" int each_task_once(int threads, int tasks) {
  std::vector<std::atomic<int>> done(static_cast<size_t>(tasks));
  parallel_for(threads, done.size(), [&](size_t i) { done[i]++; });
  int mistakes = 0;
  for (auto& count : done) mistakes += count != 1;
  return mistakes;
}

// Two tasks that wait for each other end only if they run at once.
extern "C" int two_at_once() {
  std::atomic<int> begun{0};
  parallel_for(2, 2, [&](size_t) {
    begun++;
    while (begun < 2) std::this_thread::yield();
  });
  return 0;
}

// The exception of a task comes out of the call, and the pool goes on working.
extern "C" int exception_comes_out(int threads) {
  int mistakes = 1;
  std::atomic<int> begun{0};
  try {
    parallel_for(threads, 1000, [&](size_t i) {
      begun++;
      if (i == 3) throw std::length_error("three");
    });
  } catch (const std::length_error& error) {
    mistakes = std::string(error.what()) != "three";
  }
  return mistakes + each_task_once(threads, 100);
}

// Calls from many threads at once, which call again from inside their tasks.
extern "C" int nested_callers(int callers) {
  std::atomic<int> mistakes{0}, done{0};
  std::vector<std::thread> all;
  for (int caller = 0; caller < callers; caller++) {
    all.emplace_back([&] {
      for (int round = 0; round < 20; round++) {
        parallel_for(3, 5, [&](size_t) {
          mistakes += each_task_once(2, 7);
          done++;
        });
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  return mistakes + (done != callers * 20 * 5);
}

// At most `threads` threads share a call, however many there are.
extern "C" int no_more_than(int threads) {
  each_task_once(8, 100);
  std::atomic<int> now{0}, most{0};
  parallel_for(threads, 200, [&](size_t) {
    int here = ++now;
    for (int seen = most; here > seen && !most.compare_exchange_weak(seen, here);) {
    }
    std::this_thread::yield();
    now--;
  });
  return most > threads;
}

// A child of fork has none of its parent's threads.
extern "C" int works_in_a_child() {
  each_task_once(4, 100);
  pid_t child = fork();
  if (child == 0) _exit(each_task_once(4, 100) + two_at_once());
  int status = 1;
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}
