"""C++ sources of the kernels, shared by the CPU module and the GPU; data, not Python."""
