/* Marks what a shared castforge library exports; everything else stays inside. */
#ifndef CASTFORGE_EXPORT_H
#define CASTFORGE_EXPORT_H

#if defined(__GNUC__)
#define CASTFORGE_API __attribute__((visibility("default")))
#else
#define CASTFORGE_API
#endif

#endif
