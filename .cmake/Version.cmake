# castforge's version, also where the installed modules build a library from shipped sources.
set(CASTFORGE_VERSION 0.2.0 CACHE INTERNAL "")
