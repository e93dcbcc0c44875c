// Sorts the points of several windows by bucket: a parallel counting sort over the digits of their scalars.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "cpu/batch_affine.h"
#include "cpu/digits.h"
#include "cpu/threads.h"

PROVERD_BEGIN

// Which points take part at all, and how many of their scalars have how many bits.
class ActivePoints {
 public:
  static constexpr size_t WORD = 64;

  template <class F, class Fr>
  static ActivePoints find(const void* bases, const void* scalars, size_t n, int threads);

  size_t words() const { return mask_.size(); }
  u64 word(size_t i) const { return mask_[i]; }
  // At most so many have a digit in window w of c bits: w lower windows reach further than 2^(cw-2).
  size_t in_window(int w, int c) const { return at_least_[static_cast<size_t>(std::max(1, c * w - 1))]; }
  size_t count() const { return at_least_[1]; }

 private:
  std::vector<u64> mask_;
  std::vector<size_t> at_least_;  // scalars of at least so many bits
};

template <class F, class Fr>
ActivePoints ActivePoints::find(const void* bases, const void* scalars, size_t n, int threads) {
  constexpr size_t BLOCK = 256;  // words
  ActivePoints r;
  r.mask_.resize((n + WORD - 1) / WORD);
  size_t blocks = (r.mask_.size() + BLOCK - 1) / BLOCK, row = Fr::Params::BITS + 1;
  std::vector<u32> of_length(blocks * row);
  parallel_for(threads, blocks, [&](size_t block) {
    for (size_t k = block * BLOCK; k < std::min(r.mask_.size(), (block + 1) * BLOCK); k++) {
      u64 mask = 0;
      for (size_t i = k * WORD; i < std::min(n, (k + 1) * WORD); i++) {
        int bits = Digits<Fr>::magnitude(scalars, i).bits();
        if (bits == 0 || load<Affine<F>>(bases, i).is_infinity()) continue;
        mask |= u64{1} << (i % WORD);
        of_length[block * row + static_cast<size_t>(bits)]++;
      }
      r.mask_[k] = mask;
    }
  });
  r.at_least_.assign(row + 1, 0);
  for (size_t bits = row; bits-- > 0;) {
    r.at_least_[bits] = r.at_least_[bits + 1];
    for (size_t block = 0; block < blocks; block++) r.at_least_[bits] += of_length[block * row + bits];
  }
  return r;
}

// The points of windows [first, first + windows), by bucket: those of digit d of window first + k are
// entry[start[b]] .. entry[start[b + 1] - 1] with b = k 2^(c-1) + |d| - 1; bit 31 asks for the opposite.
struct SortedWindows {
  int first, windows, c;
  std::vector<u32> start, entry;

  size_t buckets_of_window() const { return size_t{1} << (c - 1); }
  size_t buckets() const { return start.size() - 1; }
};

template <class Fr>
class WindowSort {
 public:
  WindowSort(const void* scalars, size_t n, const ActivePoints& active, int c, int threads)
      : scalars_(scalars),
        n_(n),
        active_(active),
        digits_(c),
        c_(c),
        row_((size_t{1} << (c - 1)) + 1),
        threads_(threads) {}

  SortedWindows sort(int first, int windows) const {
    size_t count = static_cast<size_t>(windows);
    Work work{count, slices(count), std::vector<int16_t>(count * n_), {}};
    work.next.resize(count * work.slices * row_);
    write_digits(work, first);
    each_slice(work, [&](size_t slice, u32* next, const int16_t* digits) {
      for (size_t i = begin(work, slice); i < begin(work, slice + 1); i++) next[std::abs(digits[i])]++;
    });
    SortedWindows r{first, windows, c_, {}, {}};
    place(work, r);
    each_slice(work, [&](size_t slice, u32* next, const int16_t* digits) {
      for (size_t i = begin(work, slice); i < begin(work, slice + 1); i++) {
        if (digits[i] == 0) continue;
        r.entry[next[std::abs(digits[i])]++] = static_cast<u32>(i) | (digits[i] < 0 ? SIGN : 0);
      }
    });
    return r;
  }

 private:
  static constexpr u32 SIGN = u32{1} << 31;
  static constexpr size_t BLOCK = 64;  // words of the mask whose digits one task writes

  // Each window is done by one task, or by several on slices of the points where there are more threads.
  struct Work {
    size_t windows, slices;
    std::vector<int16_t> digits;  // of window 0, then of window 1, ...
    std::vector<u32> next;        // of each window, slice and |digit|: how many there are, then where the next one goes
  };
  size_t slices(size_t windows) const {
    // More slices than points in a bucket would be more counters than points.
    size_t wanted = (static_cast<size_t>(std::max(threads_, 1)) + windows - 1) / windows;
    return std::max<size_t>(1, std::min(wanted, active_.count() >> (c_ - 1)));
  }
  size_t begin(const Work& work, size_t slice) const { return n_ * slice / work.slices; }

  void write_digits(Work& work, int first) const {
    parallel_for(threads_, (active_.words() + BLOCK - 1) / BLOCK, [&](size_t block) {
      for (size_t k = block * BLOCK; k < std::min(active_.words(), (block + 1) * BLOCK); k++) {
        for (u64 mask = active_.word(k); mask != 0; mask &= mask - 1) {
          size_t i = k * ActivePoints::WORD + static_cast<size_t>(__builtin_ctzll(mask));
          digits_.write(work.digits.data() + i, n_, scalars_, i, first, first + static_cast<int>(work.windows));
        }
      }
    });
  }

  // body(slice, its counters of the window, digits of the window)
  template <class Body>
  void each_slice(Work& work, Body body) const {
    parallel_for(threads_, work.windows * work.slices, [&](size_t task) {
      body(task % work.slices, work.next.data() + task * row_, work.digits.data() + task / work.slices * n_);
    });
  }

  // Numbers of points to places.
  void place(Work& work, SortedWindows& r) const {
    size_t buckets = row_ - 1;
    std::vector<u32> window_start(work.windows + 1);
    for (size_t w = 0; w < work.windows; w++) {
      u32 zeros = 0;
      for (size_t slice = 0; slice < work.slices; slice++) zeros += work.next[(w * work.slices + slice) * row_];
      window_start[w + 1] = window_start[w] + static_cast<u32>(n_) - zeros;
    }
    r.start.resize(work.windows * buckets + 1);
    r.start.back() = window_start.back();
    r.entry.resize(window_start.back());
    parallel_for(threads_, work.windows, [&](size_t w) {
      u32 total = window_start[w];
      for (size_t digit = 1; digit <= buckets; digit++) {
        r.start[w * buckets + digit - 1] = total;
        for (size_t slice = 0; slice < work.slices; slice++) {
          u32& next = work.next[(w * work.slices + slice) * row_ + digit];
          total += std::exchange(next, total);
        }
      }
    });
  }

  const void* scalars_;
  size_t n_;
  const ActivePoints& active_;
  Digits<Fr> digits_;
  int c_;
  size_t row_;  // counters of a window: |digit| = 0, 1, ..., 2^(c-1)
  int threads_;
};

PROVERD_END
