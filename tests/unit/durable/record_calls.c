/* Preloaded into a program: appends one line per call to the file that RECORDED_CALLS names, then makes the call.
     sync PATH SIZE      fsync or fdatasync; SIZE at that moment
     sync_all PATH       syncfs, of the file system with that folder
     rename FROM TO LOCKED  LOCKED: 1 where another open file could not lock FROM at that moment, else 0 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void record(const char* line) {
  const char* const path = getenv("RECORDED_CALLS");
  const int file = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0 || write(file, line, strlen(line)) != (ssize_t)strlen(line)) abort();
  close(file);
}

static void* next(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  if (found == NULL) abort();
  return found;
}

static void path_of(int descriptor, char* path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, size - 1);
  path[length < 0 ? 0 : length] = '\0';
}

/* With WITHOUT_LOCKS set, as on a file system that has none. */
int flock(int descriptor, int operation) {
  if (getenv("WITHOUT_LOCKS") != NULL) {
    errno = ENOSYS;
    return -1;
  }
  return ((int (*)(int, int))next("flock"))(descriptor, operation);
}

static void record_sync(int descriptor) {
  char path[4096], line[4200];
  struct stat status = {0};
  path_of(descriptor, path, sizeof path);
  fstat(descriptor, &status);
  snprintf(line, sizeof line, "sync %s %lld\n", path, (long long)status.st_size);
  record(line);
}

int fsync(int descriptor) {
  record_sync(descriptor);
  return ((int (*)(int))next("fsync"))(descriptor);
}

int fdatasync(int descriptor) {
  record_sync(descriptor);
  return ((int (*)(int))next("fdatasync"))(descriptor);
}

int syncfs(int descriptor) {
  char path[4096], line[4200];
  path_of(descriptor, path, sizeof path);
  snprintf(line, sizeof line, "sync_all %s\n", path);
  record(line);
  return ((int (*)(int))next("syncfs"))(descriptor);
}

int rename(const char* from, const char* to) {
  char line[8300];
  const int file = open(from, O_RDONLY | O_CLOEXEC);
  snprintf(line, sizeof line, "rename %s %s %d\n", from, to, file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0);
  if (file >= 0) close(file);
  record(line);
  return ((int (*)(const char*, const char*))next("rename"))(from, to);
}
