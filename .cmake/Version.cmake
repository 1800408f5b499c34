# castforge's version, also where the installed modules build a library from shipped sources.
set(CASTFORGE_VERSION 0.1.0 CACHE INTERNAL "")
