"""Compiled modules of ginsim; everything else about the package is in pyproject.toml.

Switches of the environment, read at build time: ``GINSIM_NATIVE=1`` adds this machine's instructions (same
results, some 10 % faster), ``GINSIM_DEBUG=1`` turns on the core's internal checks after every action,
``GINSIM_ANNOTATE=1`` writes Cython's HTML.
"""

import os
import platform
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup


def switched_on(name: str) -> bool:
    return os.environ.get(name, "") not in ("", "0")


native, debug, annotate = (switched_on(f"GINSIM_{name}") for name in ("NATIVE", "DEBUG", "ANNOTATE"))

# Play must be equal to the bit on every machine: no fast-math, no fused multiply-add.
# Debug information would take 40 % of the compiler's time and most of the wheel.
flags = ["-O3", "-ffp-contract=off", "-fno-math-errno", "-Wno-unused-function", "-g" if debug else "-g0"]
if native:
    flags.append("-march=native")
elif platform.machine() in ("x86_64", "AMD64"):
    flags.append("-mpopcnt")  # every such processor since 2008 has it

extensions = [
    Extension(
        f"ginsim.{source.stem}",
        [str(source)],
        include_dirs=["src/ginsim"],
        depends=["src/ginsim/_perceptron.h"] if source.stem == "_nets" else [],
        extra_compile_args=flags,
        define_macros=[("GINSIM_DEBUG", str(int(debug)))],
    )
    for source in sorted(Path("src/ginsim").glob("*.pyx"))
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["src"],
        build_dir="build/cython",
        annotate=annotate,
        force=annotate,
        compiler_directives={
            "language_level": "3",
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "embedsignature": True,
        },
    ),
    options={
        # Objects are kept apart by switches: a changed switch must not find the other's and call them new.
        "build": {"build_base": "build/" + ("native" if native else "portable") + "-debug" * debug},
        "build_ext": {"parallel": True},
    },
)
