/* What c_api_calls.c, which only a C compiler sees, offers to the tests: every check returns 0, or the line
 * that failed. */
#ifndef CASTFORGE_TESTS_C_API_CALLS_H
#define CASTFORGE_TESTS_C_API_CALLS_H

#ifdef __cplusplus
extern "C" {
#endif

int c_names(void);
int c_kernels(void);
int c_notation(void);
int c_failures(void);
int c_tensors(void);
int c_threads(void);
int c_text(void);

#ifdef __cplusplus
}
#endif

#endif
