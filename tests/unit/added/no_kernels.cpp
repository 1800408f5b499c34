// A shared object that knows nothing of castforge.
extern "C" __attribute__((visibility("default"))) int answer(void);
int answer(void) { return 42; }
