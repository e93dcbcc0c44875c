// Sparse matrix by vector: a = A z and b = B z from the coefficient records of a .zkey, and products with
// matrices in compressed sparse rows (CSR).
#pragma once
#include "cpu/tables.h"
#include "cpu/vec.h"

PROVERD_BEGIN

struct Coefficient {
  const u8* record;

  u32 matrix() const { return load<u32>(record, 0); }
  u32 row() const { return load<u32>(record, 1); }
  u32 wire() const { return load<u32>(record, 2); }
  template <class F>
  F value() const {
    return load<F>(record + 12, 0);
  }
};

// Sums one row of one matrix. Coefficients carry R^2 and most are 1 or -1: their values are only added
// and subtracted, and multiplied by R^2 once for the whole row.
template <class F>
struct RowSum {
  F units = F::zero(), rest = F::zero();

  void add(const F& coefficient, const F& value, const F& plus_one, const F& minus_one) {
    if (coefficient == plus_one) {
      units = units + value;
    } else if (coefficient == minus_one) {
      units = units - value;
    } else {
      rest = rest + coefficient * value;
    }
  }
  F total(const F& plus_one) const { return rest + units * plus_one; }
};

// Rows of the two results that one task fills; the records of a row stay with one task.
constexpr size_t SPMV_ROWS = 2048;

template <class F>
void multiply_records(void* a, void* b, size_t rows, const void* records, size_t count, const uint64_t* order,
                      const void* assignment, int threads) {
  const F plus_one = F::from_words(F::Params::r2()), minus_one = -plus_one;
  auto coefficient = [=](size_t i) {
    return Coefficient{static_cast<const u8*>(records) + COEFFICIENT_BYTES * (order ? order[i] : i)};
  };
  auto first_of_row = [=](size_t row) {
    size_t low = 0, high = count;
    while (low < high) {
      size_t middle = low + (high - low) / 2;
      if (coefficient(middle).row() < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  parallel_for(threads, (rows + SPMV_ROWS - 1) / SPMV_ROWS, [=](size_t task) {
    size_t row = task * SPMV_ROWS, last = std::min(rows, row + SPMV_ROWS);
    for (size_t i = first_of_row(row); row < last; row++) {
      RowSum<F> sums[2];
      for (; i < count && coefficient(i).row() == row; i++) {
        Coefficient entry = coefficient(i);
        F value = load<F>(assignment, entry.wire());
        if (!value.is_zero()) sums[entry.matrix()].add(entry.value<F>(), value, plus_one, minus_one);
      }
      store<F>(a, row, sums[0].total(plus_one));
      store<F>(b, row, sums[1].total(plus_one));
    }
  });
}

template <class F>
ptrdiff_t check_records(const void* records, size_t count, size_t rows, size_t wires, int* sorted, int threads) {
  auto coefficient = [=](size_t i) { return Coefficient{static_cast<const u8*>(records) + COEFFICIENT_BYTES * i}; };
  *sorted = first_index(count, threads,
                        [=](size_t i) { return i > 0 && coefficient(i - 1).row() > coefficient(i).row(); }) < 0;
  return first_index(count, threads, [=](size_t i) {
    Coefficient entry = coefficient(i);
    return entry.matrix() > 1 || entry.row() >= rows || entry.wire() >= wires || !entry.value<F>().is_reduced();
  });
}

template <class F>
void multiply_csr(void* out, const int64_t* row_start, const uint32_t* column, const void* value, size_t rows,
                  const void* assignment, int threads) {
  parallel_for(threads, (rows + SPMV_ROWS - 1) / SPMV_ROWS, [=](size_t task) {
    for (size_t row = task * SPMV_ROWS; row < std::min(rows, (task + 1) * SPMV_ROWS); row++) {
      RowSum<F> sum;
      for (int64_t i = row_start[row]; i < row_start[row + 1]; i++) {
        F z = load<F>(assignment, column[i]);
        if (!z.is_zero()) sum.add(load<F>(value, static_cast<size_t>(i)), z, F::one(), -F::one());
      }
      store<F>(out, row, sum.total(F::one()));
    }
  });
}

template <class F>
void multiply_csr_transposed(void* out, size_t columns, const int64_t* row_start, const uint32_t* column,
                             const void* value, size_t rows, const void* z) {
  for (size_t j = 0; j < columns; j++) store<F>(out, j, F::zero());
  for (size_t row = 0; row < rows; row++) {
    F factor = load<F>(z, row);
    for (int64_t i = row_start[row]; i < row_start[row + 1]; i++) {
      F product = load<F>(value, static_cast<size_t>(i)) * factor;
      store<F>(out, column[i], load<F>(out, column[i]) + product);
    }
  }
}

PROVERD_END
