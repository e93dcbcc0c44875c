// Multi-scalar multiplication, sum of s_i P_i: Pippenger's bucket method (eprint 2012/549, section 4) with
// signed windows and affine buckets.
//
//   1. Points are sorted by bucket, several windows at a time (window_sort.h).
//   2. The sorted list is cut into segments of equal work, wherever that falls; a bucket cut in two is two
//      partial sums, which do no harm. In a segment, neighbours of the same bucket are added pairwise, round
//      after round, each round with one shared inversion (batch_affine.h): a bucket with all the points is
//      only a long run.
//   3. Sum of d B_d over the segment's buckets: with the bits of d, sum over l of 2^l O_l where O_l sums the
//      buckets whose number has bit l set, all O_l by one tree: 2 additions a bucket, in log2 rounds.
//   4. One chain of doublings over all bits of all windows.
//
// Zero scalars and infinite bases never enter; short scalars enter low windows only. 5M + 1S an addition;
// additions: one a point and nonzero digit, two a bucket and window.
// Scratch: at most max(16 MiB, 16 bytes a point) for the sorted lists and as much for counters, and in each
// thread one affine point for each bucket of a segment.
#pragma once
#include <stdexcept>

#include "cpu/window_sort.h"

PROVERD_BEGIN

constexpr int MSM_MOST_BITS = 16;             // of a window
constexpr size_t MSM_CHUNK = 4096;            // points added in one go: 256 KiB on BN254
constexpr size_t MSM_SMALL = 4;               // up to here shared doublings are cheaper than buckets
constexpr size_t MSM_SEGMENTS = 16;           // a thread, for balance
constexpr size_t MSM_LEAST_WORK = 8192;       // additions of a segment, against some 20 inversions
constexpr size_t MSM_WAVE = size_t{4} << 20;  // entries sorted at a time, or 4 a point if that is more

// A point that counts 2^bit times.
template <class F>
struct BitPart {
  int bit;
  Affine<F> point;
};

// Entries [first_entry, last_entry) of a sorted list and the buckets that they and the gaps between fall in.
struct Segment {
  size_t first_entry, last_entry, first_bucket, last_bucket;  // last_bucket is included
};

template <class F>
class SegmentSum {
 public:
  SegmentSum(const SortedWindows& sorted, const void* bases, const Segment& segment)
      : sorted_(sorted),
        segment_(segment),
        bases_(bases),
        buckets_(segment.last_bucket - segment.first_bucket + 1),
        sums_(buckets_ + std::min(MSM_CHUNK, segment.last_entry - segment.first_entry), MSM_CHUNK / 2) {}

  std::vector<BitPart<F>> run() {
    size_t bucket = segment_.first_bucket;
    for (size_t entry = segment_.first_entry; entry < segment_.last_entry;) {
      size_t end = std::min(entry + MSM_CHUNK, segment_.last_entry);
      top_ = static_cast<u32>(buckets_);
      while (entry < end) {
        while (sorted_.start[bucket + 1] <= entry) bucket++;
        size_t run_end = std::min<size_t>(sorted_.start[bucket + 1], end);
        plan_run(static_cast<u32>(bucket - segment_.first_bucket), entry, run_end);
        entry = run_end;
      }
      sums_.add_given(bases_);
      halve_runs();
    }
    return weigh();
  }

 private:
  // Sums still to be added to the bucket's own slot: element 0 is that slot, element i is slot base + i.
  struct Run {
    u32 bucket, base, length;
    u32 element(u32 i) const { return i == 0 ? bucket : base + i; }
  };

  // Neighbours of one bucket by twos: the first round.
  void plan_run(u32 bucket, size_t entry, size_t end) {
    bool fresh = !sums_.full(bucket);
    Run run{bucket, top_ - 1, 1};
    auto next = [&] {
      if (!fresh) return top_++;
      fresh = false;
      return bucket;
    };
    for (; entry + 1 < end; entry += 2) sums_.plan_given(next(), sorted_.entry[entry], sorted_.entry[entry + 1]);
    if (entry < end) sums_.put(next(), bases_, sorted_.entry[entry]);
    run.length += top_ - 1 - run.base;
    if (run.length > 1) runs_.push_back(run);
  }

  // All further rounds.
  void halve_runs() {
    for (u32 step = 1; !runs_.empty(); step *= 2) {
      size_t kept = 0;
      for (size_t k = 0; k < runs_.size(); k++) {
        Run run = runs_[k];
        for (u32 i = 0; i + step < run.length; i += 2 * step) sums_.plan(run.element(i), run.element(i + step));
        if (run.length > 2 * step) runs_[kept++] = run;
      }
      runs_.resize(kept);
      sums_.add();
    }
  }

  // The buckets of one window.
  struct Piece {
    int window;
    u32 slot, length, digit;  // digit of the first
  };

  std::vector<Piece> pieces() const {
    std::vector<Piece> list;
    size_t row = sorted_.buckets_of_window();
    for (size_t bucket = segment_.first_bucket; bucket <= segment_.last_bucket;) {
      size_t end = std::min((bucket / row + 1) * row, segment_.last_bucket + 1);
      list.push_back({sorted_.first + static_cast<int>(bucket / row), static_cast<u32>(bucket - segment_.first_bucket),
                      static_cast<u32>(end - bucket), static_cast<u32>(bucket % row + 1)});
      bucket = end;
    }
    return list;
  }

  // Adds up buckets by the bits of their numbers. In round t slot i of a piece, i = 2^l mod 2^t or 0 mod 2^t,
  // takes slot i + 2^t: so slot 2^l ends as the sum of all whose number has bit l set, slot 0 as that of all.
  std::vector<BitPart<F>> weigh() {
    std::vector<Piece> list = pieces();
    u32 longest = 0;
    for (const Piece& piece : list) longest = std::max(longest, piece.length);
    for (u32 step = 1; step < longest; step *= 2) {
      for (const Piece& piece : list) {
        for (u32 first = 0; first < step; first = std::max(1u, 2 * first)) {
          for (u32 i = first; i + step < piece.length; i += 2 * step) {
            sums_.plan(piece.slot + i, piece.slot + i + step);
          }
        }
      }
      sums_.add();
    }
    std::vector<BitPart<F>> parts;
    auto emit = [&](const Piece& piece, u32 slot, int bit) {
      if (sums_.full(piece.slot + slot))
        parts.push_back({piece.window * sorted_.c + bit, sums_.point(piece.slot + slot)});
    };
    for (const Piece& piece : list) {
      for (int bit = 0; bit < sorted_.c; bit++) {
        if ((piece.digit >> bit) & 1) emit(piece, 0, bit);
        if ((u32{1} << bit) < piece.length) emit(piece, u32{1} << bit, bit);
      }
    }
    return parts;
  }

  const SortedWindows& sorted_;
  const Segment segment_;
  const SignedPoints<F> bases_;
  size_t buckets_;
  PointSums<F> sums_;
  std::vector<Run> runs_;
  u32 top_ = 0;  // next free slot behind the buckets
};

// Cuts the list into pieces of about equal work: a unit an entry, two a bucket.
inline std::vector<Segment> cut(const SortedWindows& sorted, int threads) {
  auto work_before = [&](size_t bucket) { return sorted.start[bucket] + 2 * bucket; };
  size_t total = work_before(sorted.buckets());
  size_t wanted = std::max(MSM_LEAST_WORK, total / (MSM_SEGMENTS * static_cast<size_t>(std::max(threads, 1))) + 1);
  std::vector<Segment> segments;
  size_t bucket = 0, entry = 0;
  for (size_t work = wanted; entry < sorted.entry.size(); work += wanted) {
    size_t low = bucket, high = sorted.buckets() - 1;  // the last bucket that begins before `work`
    while (low < high) {
      size_t middle = (low + high + 1) / 2;
      if (work_before(middle) < work) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    size_t end = std::min<size_t>(sorted.start[low] + (work - std::min(work, work_before(low))), sorted.start[low + 1]);
    if (end > entry) segments.push_back({entry, end, bucket, low});
    bucket = end == sorted.start[low + 1] ? low + 1 : low;
    entry = std::max(entry, end);
  }
  return segments;
}

// sum of s_i P_i bit by bit, all points sharing the doublings (Straus 1964); also the reference of tests.
template <class F, class Fr>
Xyzz<F> msm_reference(const void* bases, const void* scalars, size_t n) {
  Xyzz<F> total = Xyzz<F>::infinity();
  for (int bit = Fr::Params::BITS; bit-- > 0;) {
    total = total.doubled();
    for (size_t i = 0; i < n; i++) {
      Fr scalar = load<Fr>(scalars, i);
      if ((scalar.limb[bit / 64] >> (bit % 64)) & 1) total = total + load<Affine<F>>(bases, i);
    }
  }
  return total;
}

// The width of windows with the least work.
template <class Fr>
int window_bits(const ActivePoints& active) {
  int best = 2;
  size_t least = ~size_t{0};
  for (int c = 2; c <= MSM_MOST_BITS; c++) {
    size_t work = 0, buckets = size_t{1} << (c - 1);
    for (int w = 0; w < Digits<Fr>::window_count(c); w++) {
      size_t entries = active.in_window(w, c);
      work += entries + 2 * std::min(buckets, 2 * entries);
    }
    if (work < least) {
      least = work;
      best = c;
    }
  }
  return best;
}

template <class F, class Fr>
void msm(void* out, const void* bases, const void* scalars, size_t n, int threads) {
  if (n <= MSM_SMALL) {
    store(out, 0, msm_reference<F, Fr>(bases, scalars, n).to_affine());
    return;
  }
  if (n >= SignedPoints<F>::NEGATIVE) throw std::length_error("more than 2^31 - 1 points in one sum");
  ActivePoints active = ActivePoints::find<F, Fr>(bases, scalars, n, threads);
  int c = window_bits<Fr>(active);
  int windows = 0;  // of those that have points
  while (windows < Digits<Fr>::window_count(c) && active.in_window(windows, c) > 0) windows++;
  std::vector<Xyzz<F>> bit_sums(static_cast<size_t>(windows * c), Xyzz<F>::infinity());
  WindowSort<Fr> sort(scalars, active, c, threads);
  int wave = static_cast<int>(std::max<size_t>(1, std::max(MSM_WAVE, 4 * n) / std::max<size_t>(1, active.count())));
  for (int first = 0; first < windows; first += wave) {
    SortedWindows sorted = sort.sort(first, std::min(wave, windows - first));
    std::vector<Segment> segments = cut(sorted, threads);
    std::vector<std::vector<BitPart<F>>> parts(segments.size());
    parallel_for(threads, segments.size(),
                 [&](size_t k) { parts[k] = SegmentSum<F>(sorted, bases, segments[k]).run(); });
    for (const auto& list : parts) {
      for (const BitPart<F>& part : list) {
        Xyzz<F>& sum = bit_sums[static_cast<size_t>(part.bit)];
        sum = sum + part.point;
      }
    }
  }
  Xyzz<F> total = Xyzz<F>::infinity();
  for (size_t bit = bit_sums.size(); bit-- > 0;) total = total.doubled() + bit_sums[bit];
  store(out, 0, total.to_affine());
}

PROVERD_END
