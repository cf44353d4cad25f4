"""LLVM code generation for the kernels."""
