// What a library lacks: the part of a catalogue that is generated beside another one.
#pragma once

#include <filesystem>

#include "driver/catalogue.hpp"

namespace castforge::driver {

/// Holds the catalogue of a library's specs against its MANIFEST.tsv. Throws std::invalid_argument where the manifest
/// is that of another library.
void check_manifest(const Catalogue& library, const std::filesystem::path& manifest);

/// Types, kernels, cells of op-sets and systems of `all` that `library` lacks, with references to its kernels.
/// Throws std::invalid_argument where `all` changes something that `library` has.
Catalogue beside(const Catalogue& library, Catalogue all);

}  // namespace castforge::driver
