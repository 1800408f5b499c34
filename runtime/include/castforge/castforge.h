/* castforge's C interface. No exceptions, no allocation; every function is thread-safe.
 *
 *   castforge_type from, to;
 *   castforge_kernel kernel;
 *   castforge_find_type("float32", &from);
 *   castforge_find_type("float8e4m3fn", &to);
 *   if (castforge_find_kernel("onnx@23", from, to, NULL, &kernel) == CASTFORGE_OK)
 *     castforge_run(&kernel, source, destination, count);
 */
#ifndef CASTFORGE_CASTFORGE_H
#define CASTFORGE_CASTFORGE_H

#include <castforge/export.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum castforge_status {
  CASTFORGE_OK = 0,
  CASTFORGE_NO_KERNEL,            /* a kernel that was never looked up */
  CASTFORGE_UNKNOWN_OPSET,        /* no such op-set, or no such version of it */
  CASTFORGE_UNKNOWN_TYPE,         /* neither a canonical name nor an alias */
  CASTFORGE_TYPE_NOT_ADMITTED,    /* the op-set's version lacks the type */
  CASTFORGE_PAIR_NOT_ADMITTED,    /* both types are there, the conversion is not */
  CASTFORGE_UNKNOWN_ATTRIBUTE,    /* the op-set has no attribute of that name */
  CASTFORGE_BAD_ATTRIBUTE,        /* a value outside the attribute's set, or of the wrong kind */
  CASTFORGE_REPEATED_ATTRIBUTE,   /* the same attribute given twice */
  CASTFORGE_WRONG_OPERATION,      /* the op-set describes another operation */
  CASTFORGE_TEXT_CONVERSION,      /* a string on one side: castforge_format_text and castforge_parse_text */
  CASTFORGE_ISA_UNAVAILABLE,      /* instruction set unknown, not built, or not usable on this machine */
  CASTFORGE_NULL_POINTER,         /* a required pointer is null */
  CASTFORGE_BAD_SHAPE,            /* negative extent, or more elements than an address can count */
  CASTFORGE_SHAPE_MISMATCH,       /* source and destination differ in shape */
  CASTFORGE_TYPE_MISMATCH,        /* the destination's type is not the one asked for */
  CASTFORGE_RANK_NOT_ADMITTED,    /* outside the op-set's limits */
  CASTFORGE_TOO_MANY_ELEMENTS,    /* above the op-set's limit */
  CASTFORGE_EMPTY_TENSOR,         /* the op-set refuses tensors without elements */
  CASTFORGE_BUFFER_TOO_SMALL,     /* fewer bytes than the elements need */
  CASTFORGE_BUFFERS_OVERLAP,      /* other than in place with equal storage widths */
  CASTFORGE_BAD_NUMBER,           /* text that is no number */
  CASTFORGE_INTEGER_OUT_OF_RANGE, /* text of an integer outside [-2^63, 2^64) */
  CASTFORGE_BAD_OPTIONS,          /* the options structure is smaller than its first version */
  CASTFORGE_BAD_TYPE,             /* sequences: not a number, not admitted, or not of the common type */
  CASTFORGE_NOT_SCALAR,           /* sequences: an input of rank 1 or more */
  CASTFORGE_NON_FINITE,           /* sequences: an input is infinite or NaN */
  CASTFORGE_INPUT_RANGE,          /* sequences, integer result: an input outside [-2^63, 2^64) */
  CASTFORGE_STEP_ZERO,            /* sequences: the step is zero, or becomes zero when truncated to an integer */
  CASTFORGE_COUNT_LIMIT,          /* sequences: more elements than the op-set's limit */
  CASTFORGE_BEYOND_END,           /* sequences: elements asked for that the sequence does not have */
  CASTFORGE_UNSUPPORTED_OPTION,   /* the op-set states an option that this library does not know */
  CASTFORGE_KERNELS_REFUSED,      /* kernels to add do not fit this library, or contradict what it knows */
  CASTFORGE_FILE_REFUSED          /* a .cft file cannot be read, is damaged, or says what cannot be */
} castforge_status;

/* The status' own name, "unknown_opset"; never null. */
CASTFORGE_API const char* castforge_status_string(castforge_status status);

/* A number format, by the number that its spec states: the same in every version of the library. */
typedef uint16_t castforge_type;
#define CASTFORGE_NO_TYPE UINT16_C(0xFFFF)

typedef enum castforge_type_kind {
  CASTFORGE_FLOATING,
  CASTFORGE_INTEGER,
  CASTFORGE_BOOLEAN,
  CASTFORGE_STRING
} castforge_type_kind;

typedef struct castforge_attribute {
  const char* name;
  const char* word; /* null: the value is `number` */
  int64_t number;
} castforge_attribute;

/* Runs task(task_data, i) once for every i below `tasks`, on any threads, and returns when all are done. The library
 * throws nothing; a C++ exception of the callback passes through it to the caller, and no task may run by then. */
typedef void (*castforge_task)(void* task_data, size_t index);
typedef void (*castforge_parallel_for)(void* context, size_t tasks, castforge_task task, void* task_data);

/* Optional settings of a call. Set it to CASTFORGE_OPTIONS_INIT, then change what is needed; a null pointer
 * in place of the structure means the same as CASTFORGE_OPTIONS_INIT. */
typedef struct castforge_options {
  size_t size; /* sizeof(castforge_options) as the caller knows it */
  const castforge_attribute* attributes;
  size_t attribute_count;
  const char* isa; /* null: the active instruction set */
  char* message;   /* receives the message of a failure, truncated to fit and terminated; may be null */
  size_t message_size;
  uint64_t* bad_element; /* receives the index of the first bad element of a text conversion; may be null */
  castforge_parallel_for parallel_for; /* null: the calling thread does all */
  void* parallel_context;
  size_t elements_per_task; /* 0: the library chooses. Rounded up to a multiple of 512 */
} castforge_options;

#define CASTFORGE_OPTIONS_INIT \
  { sizeof(castforge_options), NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, 0 }

/* Major, minor, patch ("1.2.3"); hash over the meanings of all kernels: equal hashes, equal results. */
CASTFORGE_API const char* castforge_version(void);
CASTFORGE_API const char* castforge_manifest_hash(void);

/* Types. Numbers need not be in a row: castforge_type_at(0), ... give them, and CASTFORGE_NO_TYPE from
 * castforge_type_count() on. What castforge_load() adds moves others: go through them while no thread loads. Of a name
 * or number that is none: CASTFORGE_UNKNOWN_TYPE, a null name or 0. */
CASTFORGE_API size_t castforge_type_count(void);
CASTFORGE_API castforge_type castforge_type_at(size_t index);
CASTFORGE_API castforge_status castforge_find_type(const char* name_or_alias, castforge_type* type);
CASTFORGE_API const char* castforge_type_name(castforge_type type);
CASTFORGE_API castforge_type_kind castforge_kind_of_type(castforge_type type);
CASTFORGE_API unsigned castforge_storage_bits(castforge_type type); /* of one element; 0 for strings */
/* 1 where elements that share a byte begin at its high end. A width other than 8, 16, 32 and 64 is a dense bit stream:
 * element i is bits i * width to i * width + width - 1 of it. */
CASTFORGE_API int castforge_high_first(castforge_type type);

/* Adds the types, conversions and op-sets of a .cft file (`castforge-gen tables` writes them) to those of the library;
 * see castforge::load. All or nothing; loading twice changes nothing. The bytes are not needed afterwards. Allocates
 * memory, which is kept. */
CASTFORGE_API castforge_status castforge_load(const char* path);
CASTFORGE_API castforge_status castforge_load_bytes(const void* data, size_t size);
/* Writes the message of the calling thread's last castforge_load or castforge_load_bytes, truncated to fit and
 * terminated: "" where that went well. Returns the length of the whole message; `message` may be null with size 0. */
CASTFORGE_API size_t castforge_load_message(char* message, size_t message_size);

/* Op-sets: names in order; null beyond castforge_opset_count(). */
CASTFORGE_API size_t castforge_opset_count(void);
CASTFORGE_API const char* castforge_opset_name(size_t index);
/* The op-set that serves an operation, "cast", "bitcast" or "range", where a call names none (null or ""). Null where
 * there is no such op-set. */
CASTFORGE_API const char* castforge_default_opset(const char* operation);
/* 1 where the op-set (given and looked up as for castforge_find_kernel) admits the pair, else 0; 0 for op-sets of
 * sequences, which hold no conversions. */
CASTFORGE_API int castforge_admits(const char* opset, castforge_type src, castforge_type dst);

/* Instruction sets built into the library, the plainest first; null and 0 beyond castforge_isa_count(). */
CASTFORGE_API size_t castforge_isa_count(void);
CASTFORGE_API const char* castforge_isa_name(size_t index);
CASTFORGE_API int castforge_isa_usable(size_t index);
/* The one used where a call names none; null where CASTFORGE_FORCE_ISA names one that cannot be used. */
CASTFORGE_API const char* castforge_active_isa(void);

/* A conversion looked up once. A plain value; copies are independent. */
typedef struct castforge_kernel {
  void (*function)(const void* src, void* dst, size_t count, size_t ahead); /* for castforge_run; null: see data */
  const char* name;
  const char* isa;
  castforge_type src, dst;
  const void* data; /* of a kernel that is no code (castforge_load), for castforge_run; both null: not looked up */
} castforge_kernel;

/* Looks a conversion up in op-set "family@version"; "family" means its newest version, null or "" the default op-set,
 * or the fallback where the default one lacks one of the types and the fallback has both, as it has uint1 and formats
 * of your own. On failure *kernel is cleared. `options` may be null. */
CASTFORGE_API castforge_status castforge_find_kernel(const char* opset, castforge_type src, castforge_type dst,
                                                     const castforge_options* options, castforge_kernel* kernel);

/* Looks a conversion up by what its system calls it, "Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>",
 * where an op-set has a notation for that; see castforge::find_kernel_by_notation. A text that no op-set writes so:
 * CASTFORGE_UNKNOWN_OPSET. `isa` null: the active instruction set. On failure *kernel is cleared, and `message`
 * receives the message, truncated to fit and terminated; may be null. */
CASTFORGE_API castforge_status castforge_find_kernel_by_notation(const char* text, const char* isa,
                                                                 castforge_kernel* kernel, char* message,
                                                                 size_t message_size);

/* Converts `count` elements. Buffers hold ceil(count * bits / 8) bytes, need no alignment, and may be the
 * same where both types have the same storage width; they must not overlap otherwise. Unused bits of the last
 * byte become zero. NO_KERNEL where `kernel` was not looked up, NULL_POINTER for a null buffer with elements. */
CASTFORGE_API castforge_status castforge_run(const castforge_kernel* kernel, const void* src, void* dst, size_t count);

/* Dense tensors; rank 0 is one element; `bytes` is the size of the buffer. */
typedef struct castforge_tensor {
  castforge_type type;
  size_t rank;
  const int64_t* shape;
  const void* data;
  size_t bytes;
} castforge_tensor;

typedef struct castforge_mutable_tensor {
  castforge_type type;
  size_t rank;
  const int64_t* shape;
  void* data;
  size_t bytes;
} castforge_mutable_tensor;

/* Converts a tensor after checking types, shapes, sizes, overlap and the op-set's limits. Nothing is written on error:
 * those of castforge_find_kernel, NULL_POINTER, BAD_SHAPE, SHAPE_MISMATCH, BUFFER_TOO_SMALL, BUFFERS_OVERLAP,
 * RANK_NOT_ADMITTED, TOO_MANY_ELEMENTS, EMPTY_TENSOR. */
CASTFORGE_API castforge_status castforge_cast(const char* opset, const castforge_tensor* src,
                                              const castforge_mutable_tensor* dst, const castforge_options* options);

/* The bits of every element as they are, in another type of the same width, by the rules of a bit cast op-set
 * ("onnx-bitcast@26"; null or "" for the default). In place is allowed; nothing is written on error. */
CASTFORGE_API castforge_status castforge_bitcast(const char* opset, const castforge_tensor* src,
                                                 const castforge_mutable_tensor* dst, const castforge_options* options);

/* Cast to the element type of another tensor: `like` is that type and must be dst's. The rules are those of the family
 * whose specs say `cast_like_of` of the family named: "onnx-castlike@21" for "onnx@22". */
CASTFORGE_API castforge_status castforge_cast_like(const char* opset, const castforge_tensor* src, castforge_type like,
                                                   const castforge_mutable_tensor* dst,
                                                   const castforge_options* options);

/* Numbers to text: write(context, i, text, length) for i = 0 .. count - 1 in order; `text` is valid during
 * the call only and not terminated; `write` may be null without elements. Errors: those of castforge_find_kernel, and
 * NULL_POINTER. */
typedef void (*castforge_text_sink)(void* context, size_t index, const char* text, size_t length);
CASTFORGE_API castforge_status castforge_format_text(const char* opset, castforge_type src_type, const void* src,
                                                     size_t count, castforge_text_sink write, void* context,
                                                     const castforge_options* options);

/* Text to numbers: text i is chars[offsets[i]] up to chars[offsets[i + 1]]; `offsets` has count + 1 entries, none below
 * the one before. Errors: those of castforge_find_kernel, NULL_POINTER, BAD_SHAPE for offsets that fall, BAD_NUMBER,
 * INTEGER_OUT_OF_RANGE. */
CASTFORGE_API castforge_status castforge_parse_text(const char* opset, castforge_type dst_type, const char* chars,
                                                    const size_t* offsets, size_t count, void* dst,
                                                    const castforge_options* options);

/* Sequences start, start + step, ... before stop, by the rules of a range op-set. */

/* A typed number: the code of one element of that type in the low bits. */
typedef struct castforge_scalar {
  castforge_type type;
  uint64_t code;
} castforge_scalar;

/* Number of elements of the sequence whose elements are of type `type`; 0 with every status but OK. Errors:
 * UNKNOWN_OPSET, WRONG_OPERATION, UNKNOWN_TYPE, BAD_TYPE, NON_FINITE, INPUT_RANGE, STEP_ZERO, COUNT_LIMIT, those of
 * attributes, UNSUPPORTED_OPTION, ISA_UNAVAILABLE. */
CASTFORGE_API castforge_status castforge_range_count(const char* opset, castforge_scalar start, castforge_scalar stop,
                                                     castforge_scalar step, castforge_type type,
                                                     const castforge_options* options, uint64_t* count);

/* Elements first .. first + count - 1 of the sequence, to a buffer of ceil(count * bits / 8) bytes. The same
 * bits however the sequence is divided into parts. Nothing is written on error: those of castforge_range_count, and
 * BEYOND_END, NULL_POINTER. */
CASTFORGE_API castforge_status castforge_range_fill(const char* opset, castforge_scalar start, castforge_scalar stop,
                                                    castforge_scalar step, castforge_type type, uint64_t first,
                                                    size_t count, void* dst, const castforge_options* options);

/* The whole sequence from tensors of rank 0 to a tensor of rank 1 with as many elements. Nothing is written on error:
 * those of castforge_range_count, and NOT_SCALAR, BAD_SHAPE, SHAPE_MISMATCH, BUFFER_TOO_SMALL, NULL_POINTER. */
CASTFORGE_API castforge_status castforge_range(const char* opset, const castforge_tensor* start,
                                               const castforge_tensor* stop, const castforge_tensor* step,
                                               const castforge_mutable_tensor* dst, const castforge_options* options);

#ifdef __cplusplus
}
#endif

#endif
