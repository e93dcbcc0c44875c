// Multi-scalar multiplication, sum of s_i P_i: Pippenger's bucket method (eprint 2012/549, section 4) with
// signed windows and affine buckets.
//
// The work is cut into tasks of one window of one slice of the points. A task
//   1. sorts its points by bucket (a counting sort of the digits),
//   2. goes through the sorted list in chunks that fit the second-level cache, adding neighbours of the
//      same bucket pairwise, round after round, each round with one shared inversion (batch_affine.h),
//   3. reduces its buckets to sum of j bucket_j.
// Pairwise rounds are insensitive to skew: a bucket with all the points is only a long run. Zero digits
// enter nothing, so zero and small scalars cost little or nothing.
//
// Cost in a window: 5M + 1S a point and twice that a bucket. Scratch: 2 bytes for each point and window,
// and in each thread 4 bytes a point of its slice and one affine point a bucket.
#pragma once
#include <algorithm>
#include <vector>

#include "cpu/batch_affine.h"
#include "cpu/digits.h"
#include "cpu/threads.h"

PROVERD_BEGIN

constexpr int MSM_MOST_BITS = 16;       // so that a digit fits 16 bits
constexpr size_t MSM_CHUNK = 2048;      // points of a chunk: 128 KiB on BN254, 384 KiB in G2 of BLS12-381
constexpr size_t MSM_DIGIT_BLOCK = 4096;
constexpr size_t MSM_CHAIN = 32;        // buckets of one running sum
constexpr size_t MSM_SMALL = 16;        // up to here shared doublings are cheaper than buckets

struct MsmPlan {
  int c, windows;
  size_t slices, slice;  // number of slices, points in each but the last

  size_t slice_begin(size_t s) const { return s * slice; }
};

// The window width with the least work on the busiest thread.
inline MsmPlan plan_msm(size_t n, int bits, int threads) {
  MsmPlan best{};
  size_t least = 0;
  for (int c = 2; c <= MSM_MOST_BITS; c++) {
    int windows = window_count(bits, c);
    size_t workers = static_cast<size_t>(std::max(threads, 1));
    size_t slices = (3 * workers + static_cast<size_t>(windows) - 1) / static_cast<size_t>(windows);
    if (workers == 1) slices = 1;
    size_t slice = std::max<size_t>((n + slices - 1) / slices, 1);
    slices = (n + slice - 1) / slice;
    size_t task = slice + 2 * (size_t{1} << (c - 1)) + 500;
    size_t tasks = slices * static_cast<size_t>(windows);
    size_t work = task * ((tasks + workers - 1) / workers);
    if (best.c == 0 || work < least) {
      least = work;
      best = {c, windows, slices, slice};
    }
  }
  return best;
}

// Sums points bucket by bucket. Points arrive sorted by bucket.
template <class F>
class BucketSums {
 public:
  explicit BucketSums(size_t buckets)
      : buckets_(buckets, Affine<F>::infinity()), adder_(MSM_CHUNK / 2), points_(MSM_CHUNK) {}

  void add(u32 bucket, const Affine<F>& point) {
    if (runs_.empty() || runs_.back().bucket != bucket) runs_.push_back({bucket, 0});
    runs_.back().length++;
    points_[filled_++] = point;
    if (filled_ == MSM_CHUNK) flush();
  }

  // The sums, once all points have been added.
  std::vector<Affine<F>>& finish() {
    reduce_runs();
    store_runs(runs_.size());
    return buckets_;
  }

 private:
  struct Run {
    u32 bucket;
    u32 length;
  };

  // Makes room: everything but the last run, which may go on, is settled.
  void flush() {
    reduce_runs();
    store_runs(runs_.size() - 1);
    points_[0] = points_[filled_ - 1];
    runs_ = {{runs_.back().bucket, 1}};
    filled_ = 1;
  }

  // Halves all runs until each is one point.
  void reduce_runs() {
    for (;;) {
      adder_.clear();
      size_t at = 0;
      for (const Run& run : runs_) {
        for (u32 i = 0; i + 1 < run.length; i += 2) adder_.plan(points_[at + i], points_[at + i + 1]);
        at += run.length;
      }
      if (adder_.pairs() == 0) return;
      adder_.invert();
      size_t in = 0, out = 0, pair = 0;
      for (Run& run : runs_) {
        u32 i = 0;
        for (; i + 1 < run.length; i += 2) {
          points_[out++] = adder_.sum(pair++, points_[in + i], points_[in + i + 1]);
        }
        if (i < run.length) points_[out++] = points_[in + i];
        in += run.length;
        run.length = (run.length + 1) / 2;
      }
      filled_ = out;
    }
  }

  void store_runs(size_t count) {
    for (size_t i = 0; i < count; i++) buckets_[runs_[i].bucket] = points_[i];
  }

  std::vector<Affine<F>> buckets_;
  BatchAdder<F> adder_;
  std::vector<Affine<F>> points_;
  std::vector<Run> runs_;
  size_t filled_ = 0;
};

// sum of (j + 1) sums[j] by one running sum.
template <class F>
Xyzz<F> weighted_sum(const Affine<F>* sums, size_t count) {
  Xyzz<F> run = Xyzz<F>::infinity(), total = Xyzz<F>::infinity();
  for (size_t j = count; j-- > 0;) {
    run = run + sums[j];
    total = total + run;
  }
  return total;
}

// p 2^bits
template <class F>
Xyzz<F> doubled_times(Xyzz<F> p, int bits) {
  for (int i = 0; i < bits; i++) p = p.doubled();
  return p;
}

// sum of (j + 1) sums[j] over 2^log_count buckets: running sums of chains of MSM_CHAIN buckets, all chains
// at once in batches of affine additions, then the chains' own sums, weighted by where they begin.
template <class F>
Xyzz<F> reduce_buckets(const std::vector<Affine<F>>& sums) {
  size_t chains = sums.size() / MSM_CHAIN;
  if (chains < 64) return weighted_sum(sums.data(), sums.size());
  std::vector<Affine<F>> run(chains, Affine<F>::infinity()), total(chains, Affine<F>::infinity());
  BatchAdder<F> adder(chains);
  auto add = [&](std::vector<Affine<F>>& into, auto operand) {
    adder.clear();
    for (size_t k = 0; k < chains; k++) adder.plan(into[k], operand(k));
    adder.invert();
    for (size_t k = 0; k < chains; k++) into[k] = adder.sum(k, into[k], operand(k));
  };
  for (size_t j = MSM_CHAIN; j-- > 0;) {
    add(run, [&](size_t k) { return sums[k * MSM_CHAIN + j]; });
    add(total, [&](size_t k) { return run[k]; });
  }
  // chain k stands for buckets from k MSM_CHAIN on: sum of total_k + MSM_CHAIN sum of k run_k
  Xyzz<F> result = weighted_sum(run.data() + 1, chains - 1);
  result = doubled_times(result, __builtin_ctzll(MSM_CHAIN));
  for (const Affine<F>& part : total) result = result + part;
  return result;
}

// The share of one window of one slice. digits[i] belongs to point first + i.
template <class F>
Xyzz<F> msm_task(const void* bases, size_t first, const int16_t* digits, size_t count, int c) {
  size_t buckets = size_t{1} << (c - 1);
  std::vector<u32> position(buckets + 1, 0);
  for (size_t i = 0; i < count; i++) {
    if (digits[i] != 0) position[static_cast<size_t>(std::abs(digits[i]))]++;
  }
  for (size_t b = 1; b <= buckets; b++) position[b] += position[b - 1];
  std::vector<u32> sorted(position[buckets]);  // index from `first`; position[b] becomes the end of bucket b
  for (size_t i = 0; i < count; i++) {
    if (digits[i] != 0) sorted[position[static_cast<size_t>(std::abs(digits[i])) - 1]++] = static_cast<u32>(i);
  }
  constexpr size_t AHEAD = 16;
  BucketSums<F> sums(buckets);
  for (size_t k = 0; k < sorted.size(); k++) {
    if (k + AHEAD < sorted.size()) {
      const char* next = static_cast<const char*>(bases) + (first + sorted[k + AHEAD]) * sizeof(Affine<F>);
      for (size_t line = 0; line < sizeof(Affine<F>); line += 64) __builtin_prefetch(next + line);
    }
    size_t i = sorted[k];
    Affine<F> point = load<Affine<F>>(bases, first + i);
    if (point.is_infinity()) continue;
    int digit = digits[i];
    sums.add(static_cast<u32>(std::abs(digit)) - 1, digit < 0 ? -point : point);
  }
  return reduce_buckets(sums.finish());
}

// sum of s_i P_i bit by bit, all points sharing the doublings (Straus 1964); also the reference of tests.
template <class F>
Xyzz<F> msm_reference(const void* bases, const void* scalars, size_t n, int bits) {
  Xyzz<F> total = Xyzz<F>::infinity();
  for (int bit = bits; bit-- > 0;) {
    total = total.doubled();
    for (size_t i = 0; i < n; i++) {
      u64 limb = load<u64>(scalars, i * SCALAR_LIMBS + static_cast<size_t>(bit / 64));
      if ((limb >> (bit % 64)) & 1) total = total + load<Affine<F>>(bases, i);
    }
  }
  return total;
}

template <class F, int BITS>
void msm(void* out, const void* bases, const void* scalars, size_t n, int threads) {
  if (n <= MSM_SMALL) {
    store(out, 0, msm_reference<F>(bases, scalars, n, BITS).to_affine());
    return;
  }
  MsmPlan plan = plan_msm(n, BITS, threads);
  std::vector<int16_t> digits(n * static_cast<size_t>(plan.windows));  // window after window
  Digits reader(BITS, plan.c);
  parallel_for(threads, (n + MSM_DIGIT_BLOCK - 1) / MSM_DIGIT_BLOCK, [&](size_t block) {
    for (size_t i = block * MSM_DIGIT_BLOCK; i < std::min(n, (block + 1) * MSM_DIGIT_BLOCK); i++) {
      Digits::Shifted scalar = reader.shifted(scalars, i);
      for (int w = 0; w < plan.windows; w++) {
        digits[static_cast<size_t>(w) * n + i] = static_cast<int16_t>(reader.digit(scalar, w));
      }
    }
  });
  std::vector<Xyzz<F>> parts(static_cast<size_t>(plan.windows) * plan.slices);
  parallel_for(threads, parts.size(), [&](size_t task) {
    size_t window = task / plan.slices, first = plan.slice_begin(task % plan.slices);
    parts[task] =
        msm_task<F>(bases, first, digits.data() + window * n + first, std::min(plan.slice, n - first), plan.c);
  });
  Xyzz<F> total = Xyzz<F>::infinity();
  for (size_t window = static_cast<size_t>(plan.windows); window-- > 0;) {
    total = doubled_times(total, plan.c);
    for (size_t s = 0; s < plan.slices; s++) total = total + parts[window * plan.slices + s];
  }
  store(out, 0, total.to_affine());
}

PROVERD_END
