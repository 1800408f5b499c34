/* libcastforge_hdf5_module.so: castforge/hdf5.h and castforge/castforge.h for the HDF5 library that a process has
 * loaded already, as Python's h5py brings its own. It links no HDF5; castforge_hdf5_attach looks its functions up. */
#ifndef CASTFORGE_HDF5_MODULE_H
#define CASTFORGE_HDF5_MODULE_H

#include <castforge/hdf5.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Comes before the functions of castforge/hdf5.h, which fail until then. `path` is that of a loaded HDF5 library, 1.10
 * or later; NULL: the only one. Again with the same one changes nothing. Negative where it is not loaded, is no HDF5
 * library or too old, where there are none or several to choose from, or where the module is attached to another one.
 * `message` receives the message of a failure, truncated to fit and terminated; may be null. */
CASTFORGE_API herr_t castforge_hdf5_attach(const char* path, char* message, size_t message_size);

#ifdef __cplusplus
}
#endif

#endif
