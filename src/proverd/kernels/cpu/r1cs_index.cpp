// Reads the constraints of an .r1cs file (section 2) into compressed sparse rows.
//
// The section holds 3·m linear combinations (A, B, C of each constraint in turn), each
//     u32 terms, then for each term: u32 wire, 32-byte little-endian coefficient below r.
// Their lengths vary, so where one begins is known only after the one before it: a sequential walk, done in
// two passes. The first sizes the matrices, the second fills them; both check everything they touch.
// Source: https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace nb = nanobind;
using namespace nb::literals;

namespace proverd {
namespace {

constexpr size_t COUNT_BYTES = 4;
constexpr size_t WIRE_BYTES = 4;
constexpr size_t VALUE_BYTES = 32;  // Fr of both curves
constexpr size_t TERM_BYTES = WIRE_BYTES + VALUE_BYTES;
constexpr int MATRICES = 3;

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Output = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// What is wrong with a section; the numbers are part of the interface to formats/r1cs.py.
enum class Fault { None = 0, Truncated = 1, TooLong = 2, Wire = 3, Coefficient = 4 };

// Where a walk stopped: the fault, constraint, matrix (0 A, 1 B, 2 C), byte in the section, and the wire or
// the number of terms found there.
struct Stop {
  Fault fault = Fault::None;
  size_t constraint = 0;
  int matrix = 0;
  size_t offset = 0;
  uint64_t found = 0;

  nb::tuple report() const { return nb::make_tuple(static_cast<int>(fault), constraint, matrix, offset, found); }
};

uint32_t load_u32(const uint8_t* from) {  // the host is little-endian, as the file is
  uint32_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

bool below(const uint8_t* value, const uint64_t (&modulus)[4]) {
  uint64_t words[4];
  std::memcpy(words, value, sizeof words);
  for (int i = 3; i >= 0; i--) {
    if (words[i] != modulus[i]) return words[i] < modulus[i];
  }
  return false;
}

// Calls visit(constraint, matrix, first term, terms, stop) for each linear combination; visit may set the fault.
template <class Visit>
Stop walk(const uint8_t* section, size_t bytes, size_t constraints, Visit visit) {
  Stop stop;
  size_t at = 0;
  for (stop.constraint = 0; stop.constraint < constraints; stop.constraint++) {
    for (stop.matrix = 0; stop.matrix < MATRICES; stop.matrix++) {
      stop.offset = at;
      stop.fault = Fault::Truncated;
      if (bytes - at < COUNT_BYTES) return stop;
      size_t terms = load_u32(section + at);
      stop.found = terms;
      at += COUNT_BYTES;
      if ((bytes - at) / TERM_BYTES < terms) return stop;
      stop.fault = Fault::None;
      visit(section + at, terms, stop);
      if (stop.fault != Fault::None) return stop;
      at += terms * TERM_BYTES;
    }
  }
  stop.offset = at;
  if (at != bytes) stop.fault = Fault::TooLong;
  return stop;
}

nb::tuple r1cs_count(Input<uint8_t> section, size_t constraints) {
  size_t terms[MATRICES] = {};
  Stop stop;
  {
    nb::gil_scoped_release release;
    stop = walk(section.data(), section.size(), constraints,
                [&](const uint8_t*, size_t count, Stop& at) { terms[at.matrix] += count; });
  }
  return nb::make_tuple(stop.report(), nb::make_tuple(terms[0], terms[1], terms[2]));
}

// The three matrices one behind the other in each array, as r1cs_fill writes them.
struct Matrices {
  int64_t* row_start;  // MATRICES × (constraints + 1), zero at first
  uint32_t* column;    // A's entries, then B's, then C's
  uint8_t* value;
  size_t first[MATRICES + 1];  // of each matrix's entries
  size_t filled[MATRICES];
};

void copy_terms(const uint8_t* term, size_t terms, uint32_t wires, const uint64_t (&modulus)[4], Matrices& out,
                Stop& stop) {
  size_t entry = out.first[stop.matrix] + out.filled[stop.matrix];
  if (terms > out.first[stop.matrix + 1] - entry) throw std::invalid_argument("arrays are too short");
  for (size_t i = 0; i < terms; i++, term += TERM_BYTES) {
    uint32_t wire = load_u32(term);
    Fault fault = wire >= wires ? Fault::Wire : !below(term + WIRE_BYTES, modulus) ? Fault::Coefficient : Fault::None;
    if (fault != Fault::None) {
      stop.fault = fault;
      stop.offset += COUNT_BYTES + i * TERM_BYTES;
      stop.found = wire;
      return;
    }
    out.column[entry + i] = wire;
    std::memcpy(out.value + (entry + i) * VALUE_BYTES, term + WIRE_BYTES, VALUE_BYTES);
  }
  out.filled[stop.matrix] += terms;
}

nb::tuple r1cs_fill(Input<uint8_t> section, size_t constraints, uint32_t wires, Input<uint8_t> modulus_bytes,
                    Input<uint64_t> terms, Output<int64_t> row_start, Output<uint32_t> column, Output<uint64_t> value) {
  if (modulus_bytes.size() != VALUE_BYTES || terms.size() != MATRICES ||
      row_start.size() != MATRICES * (constraints + 1) || value.size() != column.size() * (VALUE_BYTES / 8)) {
    throw std::invalid_argument("array lengths do not fit the constraints");
  }
  uint64_t modulus[4];
  std::memcpy(modulus, modulus_bytes.data(), sizeof modulus);
  Matrices out = {row_start.data(), column.data(), reinterpret_cast<uint8_t*>(value.data()), {}, {}};
  for (int i = 0; i < MATRICES; i++) out.first[i + 1] = out.first[i] + terms.data()[i];
  if (out.first[MATRICES] != column.size()) throw std::invalid_argument("terms do not add up to the arrays");
  Stop stop;
  {
    nb::gil_scoped_release release;
    for (int i = 0; i < MATRICES; i++) out.row_start[i * (constraints + 1)] = 0;
    stop = walk(section.data(), section.size(), constraints, [&](const uint8_t* term, size_t count, Stop& at) {
      copy_terms(term, count, wires, modulus, out, at);
      size_t row = at.matrix * (constraints + 1) + at.constraint + 1;
      out.row_start[row] = static_cast<int64_t>(out.filled[at.matrix]);
    });
  }
  return stop.report();
}

}  // namespace

void define_r1cs_index(nb::module_& m) {
  m.def("r1cs_count", r1cs_count, "section"_a, "constraints"_a,
        "((fault, constraint, matrix, offset, found), (terms of A, B, C)) of an .r1cs constraints section.");
  m.def("r1cs_fill", r1cs_fill, "section"_a, "constraints"_a, "wires"_a, "modulus"_a, "terms"_a, "row_start"_a,
        "column"_a, "value"_a, "Fills the three CSR matrices; returns (fault, constraint, matrix, offset, found).");
}

}  // namespace proverd
