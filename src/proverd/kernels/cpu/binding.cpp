// The Python module proverd._native: checks sizes, releases the GIL, calls the tables.
//
// Arrays come as anything with the buffer protocol: NumPy arrays of any shape and alignment, or views of
// a memory-mapped file. Lengths follow from the buffers; a length that does not fit is a ValueError.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "cpu/dispatch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace proverd {
namespace {

constexpr size_t SCALAR = 32;  // bytes of an element of Fr on both curves

class View {
 public:
  View(nb::handle object, int flags) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_, flags) != 0) throw nb::python_error();
  }
  ~View() { PyBuffer_Release(&buffer_); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  size_t bytes() const { return static_cast<size_t>(buffer_.len); }

  // How many elements of `size` bytes it holds.
  size_t count(size_t size) const {
    if (bytes() % size != 0) throw std::invalid_argument("array length is not a multiple of its element's size");
    return bytes() / size;
  }
  void expect(size_t bytes_wanted, const char* name) const {
    if (bytes() != bytes_wanted) {
      throw std::invalid_argument(std::string(name) + ": expected " + std::to_string(bytes_wanted) + " bytes, found " +
                                  std::to_string(bytes()));
    }
  }

 protected:
  Py_buffer buffer_;
};

struct In : View {
  explicit In(nb::handle object) : View(object, PyBUF_SIMPLE) {}
  const void* data() const { return buffer_.buf; }
};

struct Out : View {
  explicit Out(nb::handle object) : View(object, PyBUF_WRITABLE) {}
  void* data() const { return buffer_.buf; }
};

// Runs `body` without the GIL; the views it uses must outlive it.
template <class Body>
auto without_gil(Body body) {
  nb::gil_scoped_release release;
  return body();
}

const CurveTables& tables(int curve) {
  if (curve < 0 || curve >= CURVES) throw std::invalid_argument("unknown curve");
  return chosen_isa().load()->curves[curve];
}
const FieldTable& field(int curve) { return *tables(curve).field; }
const GroupTable& group(int curve, int index) {
  if (index != 1 && index != 2) throw std::invalid_argument("group is 1 or 2");
  return *tables(curve).groups[index - 1];
}

using Binary = void (*FieldTable::*)(void*, const void*, const void*, size_t, int);
using Unary = void (*FieldTable::*)(void*, const void*, size_t, int);

template <Binary Operation>
void binary(int curve, nb::handle out_array, nb::handle a_array, nb::handle b_array, int threads) {
  Out out(out_array);
  In a(a_array), b(b_array);
  size_t n = out.count(SCALAR);
  a.expect(out.bytes(), "a");
  b.expect(out.bytes(), "b");
  without_gil([&] { (field(curve).*Operation)(out.data(), a.data(), b.data(), n, threads); });
}

template <Unary Operation>
void unary(int curve, nb::handle out_array, nb::handle a_array, int threads) {
  Out out(out_array);
  In a(a_array);
  a.expect(out.bytes(), "a");
  without_gil([&] { (field(curve).*Operation)(out.data(), a.data(), out.count(SCALAR), threads); });
}

void scale(int curve, nb::handle out_array, nb::handle a_array, nb::handle factor, int threads) {
  Out out(out_array);
  In a(a_array), k(factor);
  a.expect(out.bytes(), "a");
  k.expect(SCALAR, "factor");
  without_gil([&] { field(curve).scale(out.data(), a.data(), k.data(), out.count(SCALAR), threads); });
}

void multiply_subtract_canonical(int curve, nb::handle out_array, nb::handle a_array, nb::handle b_array,
                                 nb::handle c_array, int threads) {
  Out out(out_array);
  In a(a_array), b(b_array), c(c_array);
  for (const In* x : {&a, &b, &c}) x->expect(out.bytes(), "operand");
  without_gil([&] {
    field(curve).multiply_subtract_canonical(out.data(), a.data(), b.data(), c.data(), out.count(SCALAR), threads);
  });
}

void powers(int curve, nb::handle out_array, nb::handle first_array, nb::handle ratio_array, int threads) {
  Out out(out_array);
  In first(first_array), ratio(ratio_array);
  first.expect(SCALAR, "first");
  ratio.expect(SCALAR, "ratio");
  without_gil([&] { field(curve).powers(out.data(), first.data(), ratio.data(), out.count(SCALAR), threads); });
}

void dot(int curve, nb::handle out_array, nb::handle a_array, nb::handle b_array, int threads) {
  Out out(out_array);
  In a(a_array), b(b_array);
  out.expect(SCALAR, "out");
  b.expect(a.bytes(), "b");
  without_gil([&] { field(curve).dot(out.data(), a.data(), b.data(), a.count(SCALAR), threads); });
}

ptrdiff_t first_not_reduced(int curve, nb::handle array, int threads) {
  In a(array);
  return without_gil([&] { return field(curve).first_not_reduced(a.data(), a.count(SCALAR), threads); });
}

void ntt(int curve, nb::handle data_array, nb::handle twiddle_array, nb::object shift_array, bool inverse,
         int threads) {
  Out data(data_array);
  In twiddles(twiddle_array);
  size_t n = data.count(SCALAR);
  if (n == 0 || (n & (n - 1)) != 0) throw std::invalid_argument("length is not a power of two");
  int log_n = __builtin_ctzll(n);
  twiddles.expect(n / 2 * SCALAR, "twiddles");
  if (inverse) {
    without_gil([&] { field(curve).ntt_inverse(data.data(), twiddles.data(), log_n, threads); });
  } else if (shift_array.is_none()) {
    without_gil([&] { field(curve).ntt_forward(data.data(), twiddles.data(), nullptr, log_n, threads); });
  } else {
    In shifts(shift_array);
    shifts.expect(data.bytes(), "shifts");
    without_gil([&] { field(curve).ntt_forward(data.data(), twiddles.data(), shifts.data(), log_n, threads); });
  }
}

void bit_reverse(int curve, nb::handle data_array, int threads) {
  Out data(data_array);
  size_t n = data.count(SCALAR);
  if (n == 0 || (n & (n - 1)) != 0) throw std::invalid_argument("length is not a power of two");
  without_gil([&] { field(curve).bit_reverse(data.data(), __builtin_ctzll(n), threads); });
}

void multiply_records(int curve, nb::handle a_array, nb::handle b_array, nb::handle record_array,
                      nb::object order_array, nb::handle assignment_array, int threads) {
  Out a(a_array), b(b_array);
  In records(record_array), assignment(assignment_array);
  size_t count = records.count(COEFFICIENT_BYTES);
  b.expect(a.bytes(), "b");
  auto multiply = [&](const uint64_t* order) {
    without_gil([&] {
      field(curve).multiply_records(a.data(), b.data(), a.count(SCALAR), records.data(), count, order,
                                    assignment.data(), threads);
    });
  };
  if (order_array.is_none()) return multiply(nullptr);
  In order(order_array);
  order.expect(count * sizeof(uint64_t), "order");
  multiply(static_cast<const uint64_t*>(order.data()));
}

nb::tuple check_records(int curve, nb::handle record_array, size_t rows, size_t wires, int threads) {
  In records(record_array);
  int sorted = 0;
  ptrdiff_t bad = without_gil([&] {
    return field(curve).check_records(records.data(), records.count(COEFFICIENT_BYTES), rows, wires, &sorted, threads);
  });
  return nb::make_tuple(bad, sorted != 0);
}

// A CSR matrix whose indices have been checked (`check` reads all of them, so it is done once).
struct Csr {
  In row_start, column, value;
  size_t rows;

  Csr(nb::handle row_start_array, nb::handle column_array, nb::handle value_array)
      : row_start(row_start_array), column(column_array), value(value_array) {
    size_t starts = row_start.count(sizeof(int64_t)), entries = column.count(sizeof(uint32_t));
    if (starts == 0) throw std::invalid_argument("row_start is empty");
    rows = starts - 1;
    value.expect(entries * SCALAR, "value");
    if (starts_data()[0] != 0 || static_cast<size_t>(starts_data()[rows]) != entries) {
      throw std::invalid_argument("row_start does not span the entries");
    }
  }
  const int64_t* starts_data() const { return static_cast<const int64_t*>(row_start.data()); }
  const uint32_t* column_data() const { return static_cast<const uint32_t*>(column.data()); }
};

bool check_csr(nb::handle row_start_array, nb::handle column_array, size_t columns) {
  In row_start(row_start_array), column(column_array);
  const int64_t* starts = static_cast<const int64_t*>(row_start.data());
  const uint32_t* wires = static_cast<const uint32_t*>(column.data());
  size_t rows = row_start.count(sizeof(int64_t)), entries = column.count(sizeof(uint32_t));
  return without_gil([&] {
    if (rows == 0 || starts[0] != 0 || static_cast<size_t>(starts[rows - 1]) != entries) return false;
    for (size_t i = 1; i < rows; i++) {
      if (starts[i] < starts[i - 1]) return false;
    }
    for (size_t i = 0; i < entries; i++) {
      if (wires[i] >= columns) return false;
    }
    return true;
  });
}

void multiply_csr(int curve, nb::handle out_array, nb::handle row_start, nb::handle column, nb::handle value,
                  nb::handle assignment_array, int threads) {
  Out out(out_array);
  Csr matrix(row_start, column, value);
  In assignment(assignment_array);
  out.expect(matrix.rows * SCALAR, "out");
  without_gil([&] {
    field(curve).multiply_csr(out.data(), matrix.starts_data(), matrix.column_data(), matrix.value.data(), matrix.rows,
                              assignment.data(), threads);
  });
}

void multiply_csr_transposed(int curve, nb::handle out_array, nb::handle row_start, nb::handle column, nb::handle value,
                             nb::handle z_array) {
  Out out(out_array);
  Csr matrix(row_start, column, value);
  In z(z_array);
  z.expect(matrix.rows * SCALAR, "z");
  without_gil([&] {
    field(curve).multiply_csr_transposed(out.data(), out.count(SCALAR), matrix.starts_data(), matrix.column_data(),
                                         matrix.value.data(), matrix.rows, z.data());
  });
}

void msm(int curve, int group_index, nb::handle out_array, nb::handle base_array, nb::handle scalar_array,
         int threads) {
  const GroupTable& table = group(curve, group_index);
  Out out(out_array);
  In bases(base_array), scalars(scalar_array);
  size_t n = bases.count(table.point_bytes);
  out.expect(table.point_bytes, "out");
  scalars.expect(n * SCALAR, "scalars");
  without_gil([&] { table.msm(out.data(), bases.data(), scalars.data(), n, threads); });
}

void fixed_base(int curve, int group_index, nb::handle out_array, nb::handle base_array, nb::handle scalar_array,
                int threads) {
  const GroupTable& table = group(curve, group_index);
  Out out(out_array);
  In base(base_array), scalars(scalar_array);
  size_t n = out.count(table.point_bytes);
  base.expect(table.point_bytes, "base");
  scalars.expect(n * SCALAR, "scalars");
  without_gil([&] { table.fixed_base(out.data(), base.data(), scalars.data(), n, threads); });
}

// out[row] = sum of scalar points[column] over a row of the matrix.
void combine(int curve, int group_index, nb::handle out_array, nb::handle row_start, nb::handle column,
             nb::handle scalar_array, nb::handle point_array, int threads) {
  const GroupTable& table = group(curve, group_index);
  Out out(out_array);
  Csr matrix(row_start, column, scalar_array);
  In points(point_array);
  out.expect(matrix.rows * table.point_bytes, "out");
  without_gil([&] {
    table.combine(out.data(), matrix.starts_data(), matrix.column_data(), matrix.value.data(), matrix.rows,
                  points.data(), threads);
  });
}

void points_from_montgomery(int curve, int group_index, nb::handle out_array, nb::handle point_array, int threads) {
  const GroupTable& table = group(curve, group_index);
  Out out(out_array);
  In points(point_array);
  points.expect(out.bytes(), "points");
  without_gil([&] { table.from_montgomery(out.data(), points.data(), out.count(table.point_bytes), threads); });
}

using PointCheck = ptrdiff_t (*GroupTable::*)(const void*, size_t, int);

template <PointCheck Check>
ptrdiff_t check_points(int curve, int group_index, nb::handle point_array, int threads) {
  const GroupTable& table = group(curve, group_index);
  In points(point_array);
  size_t n = points.count(table.point_bytes);
  return without_gil([&] { return (table.*Check)(points.data(), n, threads); });
}

// Pairs of a multi-pairing.
size_t pairs(int curve, const In& g1, const In& g2) {
  size_t n = g1.count(group(curve, 1).point_bytes);
  g2.expect(n * group(curve, 2).point_bytes, "g2");
  return n;
}

void pairing_product(int curve, nb::handle out_array, nb::handle g1_array, nb::handle g2_array, int threads) {
  Out out(out_array);
  In g1(g1_array), g2(g2_array);
  size_t n = pairs(curve, g1, g2);
  out.expect(6 * group(curve, 1).point_bytes, "out");
  without_gil([&] { tables(curve).pairing->product(out.data(), g1.data(), g2.data(), n, threads); });
}

bool pairing_product_is_one(int curve, nb::handle g1_array, nb::handle g2_array, int threads) {
  In g1(g1_array), g2(g2_array);
  size_t n = pairs(curve, g1, g2);
  return without_gil([&] { return tables(curve).pairing->product_is_one(g1.data(), g2.data(), n, threads); });
}

std::vector<std::string> available_isas() {
  std::vector<std::string> names;
  for (const Isa& isa : isas()) {
    if (isa.available) names.emplace_back(isa.name);
  }
  return names;
}

void set_isa(const std::string& name) {
  for (const Isa& isa : isas()) {
    if (isa.available && name == isa.name) {
      chosen_isa() = &isa;
      return;
    }
  }
  throw std::invalid_argument("instruction set " + name + " is not available on this CPU");
}

}  // namespace

void define_r1cs_index(nb::module_& m);  // r1cs_index.cpp

}  // namespace proverd

NB_MODULE(_native, m) {
  using namespace proverd;
  m.def("isas", available_isas, "Instruction sets this CPU can run, slowest first.");
  m.def("isa", [] { return std::string(chosen_isa().load()->name); }, "The instruction set in use.");
  m.def("set_isa", set_isa, "name"_a, "Uses another instruction set from the next call on, in all threads.");

  m.def("multiply", binary<&FieldTable::multiply>, "curve"_a, "out"_a, "a"_a, "b"_a, "threads"_a);
  m.def("add", binary<&FieldTable::add>, "curve"_a, "out"_a, "a"_a, "b"_a, "threads"_a);
  m.def("subtract", binary<&FieldTable::subtract>, "curve"_a, "out"_a, "a"_a, "b"_a, "threads"_a);
  m.def("scale", scale, "curve"_a, "out"_a, "a"_a, "factor"_a, "threads"_a);
  m.def("multiply_subtract_canonical", multiply_subtract_canonical, "curve"_a, "out"_a, "a"_a, "b"_a, "c"_a,
        "threads"_a);
  m.def("to_montgomery", unary<&FieldTable::to_montgomery>, "curve"_a, "out"_a, "a"_a, "threads"_a);
  m.def("from_montgomery", unary<&FieldTable::from_montgomery>, "curve"_a, "out"_a, "a"_a, "threads"_a);
  m.def("batch_inverse", unary<&FieldTable::batch_inverse>, "curve"_a, "out"_a, "a"_a, "threads"_a);
  m.def("powers", powers, "curve"_a, "out"_a, "first"_a, "ratio"_a, "threads"_a);
  m.def("dot", dot, "curve"_a, "out"_a, "a"_a, "b"_a, "threads"_a);
  m.def("first_not_reduced", first_not_reduced, "curve"_a, "a"_a, "threads"_a);

  m.def("ntt", ntt, "curve"_a, "data"_a, "twiddles"_a, "shifts"_a.none(), "inverse"_a, "threads"_a);
  m.def("bit_reverse", bit_reverse, "curve"_a, "data"_a, "threads"_a);

  m.def("multiply_records", multiply_records, "curve"_a, "a"_a, "b"_a, "records"_a, "order"_a.none(), "assignment"_a,
        "threads"_a);
  m.def("check_records", check_records, "curve"_a, "records"_a, "rows"_a, "wires"_a, "threads"_a);
  m.def("check_csr", check_csr, "row_start"_a, "column"_a, "columns"_a);
  m.def("multiply_csr", multiply_csr, "curve"_a, "out"_a, "row_start"_a, "column"_a, "value"_a, "assignment"_a,
        "threads"_a);
  m.def("multiply_csr_transposed", multiply_csr_transposed, "curve"_a, "out"_a, "row_start"_a, "column"_a, "value"_a,
        "z"_a);

  m.def("msm", msm, "curve"_a, "group"_a, "out"_a, "bases"_a, "scalars"_a, "threads"_a);
  m.def("fixed_base", fixed_base, "curve"_a, "group"_a, "out"_a, "base"_a, "scalars"_a, "threads"_a);
  m.def("combine", combine, "curve"_a, "group"_a, "out"_a, "row_start"_a, "column"_a, "scalars"_a, "points"_a,
        "threads"_a);
  m.def("points_from_montgomery", points_from_montgomery, "curve"_a, "group"_a, "out"_a, "points"_a, "threads"_a);
  m.def("first_not_canonical", check_points<&GroupTable::first_not_canonical>, "curve"_a, "group"_a, "points"_a,
        "threads"_a);
  m.def("first_off_curve", check_points<&GroupTable::first_off_curve>, "curve"_a, "group"_a, "points"_a, "threads"_a);
  m.def("first_outside_subgroup", check_points<&GroupTable::first_outside_subgroup>, "curve"_a, "group"_a, "points"_a,
        "threads"_a);

  m.def("pairing_product", pairing_product, "curve"_a, "out"_a, "g1"_a, "g2"_a, "threads"_a);
  m.def("pairing_product_is_one", pairing_product_is_one, "curve"_a, "g1"_a, "g2"_a, "threads"_a);

  define_r1cs_index(m);
}
