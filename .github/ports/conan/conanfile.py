"""Conan 2 recipe of castforge: the library, from the source tree that holds this file."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir


class CastforgeConan(ConanFile):
    name = "castforge"
    description = "Conversion between number formats, exact and vectorized: float8, float6, float4, bfloat16, int4"
    license = "Apache-2.0"
    topics = ("float8", "bfloat16", "onnx", "quantization", "simd")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]

    @property
    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self._tree, ".cmake", "Version.cmake"))
        self.version = re.search(r"CASTFORGE_VERSION ([0-9.]+)", text).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", ".cmake/*", ".docs/*", ".github/CHANGELOG.md", "generated/*",
                        "runtime/*", "specs/*", "templates/*"):
            copy(self, pattern, self._tree, self.export_sources_folder, excludes=("*.pyc", "*/__pycache__/*"))

    def layout(self):
        cmake_layout(self)

    def validate(self):
        check_min_cppstd(self, 20)

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.25]")

    def requirements(self):
        # In the sources only: programs that link castforge need nothing of it.
        self.requires("xsimd/[>=13.2 <15]", visible=False, headers=True, libs=False)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CASTFORGE_BUILD_GENERATOR"] = False
        toolchain.cache_variables["CASTFORGE_BUILD_TOOLS"] = False
        toolchain.cache_variables["CASTFORGE_BUILD_TESTS"] = False
        toolchain.cache_variables["CASTFORGE_BUILD_HDF5"] = False  # whatever the building machine happens to have
        toolchain.cache_variables["CASTFORGE_FETCH_DEPS"] = False
        toolchain.cache_variables["xsimd_ROOT"] = self.dependencies["xsimd"].package_folder.replace("\\", "/")
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        licenses = os.path.join(self.package_folder, "licenses")
        copy(self, "LICENSE", self.source_folder, licenses)
        copy(self, "third_party_licenses.txt", os.path.join(self.source_folder, ".cmake"), licenses)
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["castforge"]
        self.cpp_info.set_property("cmake_file_name", "castforge")
        self.cpp_info.set_property("cmake_target_name", "castforge::castforge")
        self.cpp_info.set_property("pkg_config_name", "castforge")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"]
