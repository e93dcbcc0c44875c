// Sorts the points of several windows by bucket: a parallel counting sort over the digits of their scalars.
#pragma once
#include <algorithm>
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
  WindowSort(const void* scalars, const ActivePoints& active, int c, int threads)
      : scalars_(scalars), active_(active), digits_(c), c_(c), threads_(threads) {
    // A slice is worth its row of counters if it has more points than a window has buckets.
    size_t most = std::max<size_t>(1, active.count() >> (c - 1));
    slices_ = std::min(static_cast<size_t>(std::max(threads, 1)), most);
    slice_ = (active.words() + slices_ - 1) / slices_;
  }

  SortedWindows sort(int first, int windows) const {
    SortedWindows r{first, windows, c_, {}, {}};
    size_t row = static_cast<size_t>(windows) << (c_ - 1);
    std::vector<u32> next(slices_ * row);  // of each slice and bucket: counts, then where its points go
    each_digit(first, windows, [&](size_t slice, size_t bucket, u32) { next[slice * row + bucket]++; });
    r.start.resize(row + 1);
    parallel_for(threads_, static_cast<size_t>(windows), [&](size_t w) { place_window(r, next, w); });
    u32 total = 0;
    for (size_t w = 0; w < static_cast<size_t>(windows); w++) {
      u32 count = r.start[w << (c_ - 1)];
      r.start[w << (c_ - 1)] = total;
      total += count;
    }
    r.start[row] = total;
    parallel_for(threads_, static_cast<size_t>(windows), [&](size_t w) { shift_window(r, next, w); });
    r.entry.resize(total);
    each_digit(first, windows,
               [&](size_t slice, size_t bucket, u32 entry) { r.entry[next[slice * row + bucket]++] = entry; });
    return r;
  }

 private:
  // visit(slice, bucket, entry) for all digits but zero.
  template <class Visit>
  void each_digit(int first, int windows, Visit visit) const {
    parallel_for(threads_, slices_, [&](size_t slice) {
      for (size_t k = slice * slice_; k < std::min(active_.words(), (slice + 1) * slice_); k++) {
        for (u64 mask = active_.word(k); mask != 0; mask &= mask - 1) {
          size_t i = k * ActivePoints::WORD + static_cast<size_t>(__builtin_ctzll(mask));
          typename Digits<Fr>::Shifted s = digits_.shifted(scalars_, i);
          for (int w = 0; w < windows; w++) {
            u32 digit = s.magnitude(digits_, first + w);
            if (digit == 0) continue;
            size_t bucket = (static_cast<size_t>(w) << (c_ - 1)) + digit - 1;
            visit(slice, bucket, static_cast<u32>(i) | static_cast<u32>(s.negative(digits_, first + w)) << 31);
          }
        }
      }
    });
  }

  // Counts of a window to places relative to its beginning; its size goes to the start of its first bucket.
  void place_window(SortedWindows& r, std::vector<u32>& next, size_t w) const {
    size_t row = r.buckets(), begin = w << (c_ - 1), end = (w + 1) << (c_ - 1);
    u32 total = 0;
    for (size_t bucket = begin; bucket < end; bucket++) {
      r.start[bucket] = total;
      for (size_t slice = 0; slice < slices_; slice++) {
        u32 count = next[slice * row + bucket];
        next[slice * row + bucket] = total;
        total += count;
      }
    }
    r.start[begin] = total;
  }

  // Places of a window from relative to absolute.
  void shift_window(SortedWindows& r, std::vector<u32>& next, size_t w) const {
    size_t row = r.buckets(), begin = w << (c_ - 1), end = (w + 1) << (c_ - 1);
    u32 offset = r.start[begin];
    for (size_t bucket = begin + 1; bucket < end; bucket++) r.start[bucket] += offset;
    for (size_t slice = 0; slice < slices_; slice++) {
      for (size_t bucket = begin; bucket < end; bucket++) next[slice * row + bucket] += offset;
    }
  }

  const void* scalars_;
  const ActivePoints& active_;
  Digits<Fr> digits_;
  int c_, threads_;
  size_t slices_, slice_;  // slice_: words of the mask
};

PROVERD_END
