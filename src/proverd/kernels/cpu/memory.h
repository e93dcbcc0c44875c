// Loads and stores of field elements at any alignment (a section of a memory-mapped file may start
// anywhere). The copies compile to plain moves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core.h"

PROVERD_BEGIN

template <class T>
PROVERD_HD T load(const void* array, size_t i) {
  T value;
  std::memcpy(&value, static_cast<const u8*>(array) + i * sizeof(T), sizeof(T));
  return value;
}

template <class T>
PROVERD_HD void store(void* array, size_t i, const T& value) {
  std::memcpy(static_cast<u8*>(array) + i * sizeof(T), &value, sizeof(T));
}

PROVERD_END
