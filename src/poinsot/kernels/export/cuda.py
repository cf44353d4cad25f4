"""Routines as CUDA C++: device functions, kernels over batches, and a test."""

from __future__ import annotations

from poinsot.kernels.export.c_function import CStyle, c_function, checked_precision, comment
from poinsot.kernels.export.c_test import compare, data
from poinsot.kernels.export.routine import Package, Routine
from poinsot.kernels.export.sources import Sources


def to_cuda(package: Package, precision: str) -> Sources:
    """Return NAME.cuh and NAME_test.cu.

    NAME_ROUTINE is a device function of one state; the kernel NAME_ROUTINE_batch computes n states,
    one per thread, of arrays (n, size) in C order on the device.

    Args:
        package: The routines.
        precision: "double" or "float".
    """
    name = package.name
    function = "static __device__ inline "
    style = CStyle(checked_precision(precision), name, function, function)
    heading = comment(
        [*package.heading(), f"Numbers are {style.real}. Do not compile with -use_fast_math."]
    )
    functions = [
        comment(routine.description()) + c_function(routine, style) + "\n" + _kernel(routine, style)
        for routine in package.routines
    ]
    choices = style.choices([routine.program for routine in package.routines])
    sections = [
        f"{heading}#pragma once\n\n#include <math.h>\n",
        *(["\n".join(choices) + "\n"] if choices else []),
        *functions,
    ]
    return Sources(
        {f"{name}.cuh": "\n".join(sections), f"{name}_test.cu": heading + _test(package, style)}
    )


def _kernel(routine: Routine, style: CStyle) -> str:
    """Return the kernel that computes one state per thread."""
    inputs = [f"const {style.real} *{port.name}" for port in routine.program.inputs]
    outputs = [f"{style.real} *{port.name}" for port in routine.program.outputs]
    given = ", ".join(f"{port.name} + {port.size} * state" for port in routine.ports)
    return (
        f"static __global__ void {style.name(routine)}_batch"
        f"({', '.join(['long n_states', *inputs, *outputs])})\n{{\n"
        "    const long state = blockIdx.x * (long)blockDim.x + threadIdx.x;\n"
        f"    if (state < n_states) {style.name(routine)}({given});\n}}\n"
    )


def _test(package: Package, style: CStyle) -> str:
    """Return a main program that runs every kernel; it ends with 0 if every result is right."""
    copy = (
        f"static {style.real} *on_device(const void *from, size_t size)\n{{\n"
        f"    {style.real} *to = 0;\n"
        "    cudaMalloc(&to, size ? size : 1);\n"
        "    if (from) cudaMemcpy(to, from, size, cudaMemcpyHostToDevice);\n"
        "    return to;\n}\n"
    )
    body = [
        "int bad = 0, n_devices = 0;",
        "if (cudaGetDeviceCount(&n_devices) != cudaSuccess || n_devices == 0) {",
        '    printf("there is no CUDA device\\n");',
        "    return 2;",
        "}",
    ]
    for routine in package.routines:
        body += _check(routine, style)
    body += [
        "const cudaError_t error = cudaGetLastError();",
        "if (error != cudaSuccess) {",
        '    printf("CUDA: %s\\n", cudaGetErrorString(error));',
        "    return 2;",
        "}",
        'if (bad) printf("%d wrong\\n", bad); else printf("all right\\n");',
        "return bad != 0;",
    ]
    main = "int main()\n{\n" + "".join(f"    {line}\n" for line in body) + "}\n"
    head = f'#include "{package.name}.cuh"\n\n#include <float.h>\n#include <stdio.h>\n'
    return "\n".join([head, compare(style), data(package, style), copy, main])


def _check(routine: Routine, style: CStyle) -> list[str]:
    n_states = len(routine.states[0]) if routine.states else 1
    lines = []
    for port in routine.program.inputs:
        source = f"{routine.name}_{port.name}"
        given = f"{source}, sizeof {source}" if port.size else "0, 0"
        lines.append(f"{style.real} *{port.name} = on_device({given});")
    for port in routine.program.outputs:
        size = f"{n_states * port.size} * sizeof({style.real})"
        lines.append(f"{style.real} *{port.name} = on_device(0, {size});")
    names = ", ".join(port.name for port in routine.ports)
    lines.append(f"{style.name(routine)}_batch<<<1, {max(n_states, 1)}>>>({n_states}, {names});")
    for port in routine.program.outputs:
        if port.size:
            computed = f"{port.name}_found"
            lines += [
                f"static {style.real} {computed}[{n_states}][{port.size}];",
                f"cudaMemcpy({computed}, {port.name}, sizeof {computed}, cudaMemcpyDeviceToHost);",
                f"for (int k = 0; k < {n_states}; k++)",
                f'    bad += differs("{routine.name}", k, {computed}[k], '
                f"{routine.name}_{port.name}[k], {port.size});",
            ]
    lines += [f"cudaFree({port.name});" for port in routine.ports]
    return ["{", *[f"    {line}" for line in lines], "}"]
