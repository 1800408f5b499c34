/* The C interface as a C99 program uses it. */
#include "c_api_calls.h"

#include <castforge/castforge.h>
#include <string.h>

#define EXPECT(condition)              \
  do {                                 \
    if (!(condition)) return __LINE__; \
  } while (0)

static castforge_type type_of(const char* name) {
  castforge_type type = 0xFFFF;
  castforge_find_type(name, &type);
  return type;
}

int c_names(void) {
  castforge_kernel kernel;
  castforge_type type = 0xFFFF;
  size_t i;
  EXPECT(castforge_find_type("FLOAT8E4M3FN", &type) == CASTFORGE_OK);
  EXPECT(strcmp(castforge_type_name(type), "float8e4m3fn") == 0);
  EXPECT(castforge_storage_bits(type) == 8);
  EXPECT(castforge_kind_of_type(type) == CASTFORGE_FLOATING);
  EXPECT(castforge_kind_of_type(type_of("string")) == CASTFORGE_STRING);
  EXPECT(castforge_find_type("float7", &type) == CASTFORGE_UNKNOWN_TYPE);
  EXPECT(castforge_find_type(NULL, &type) == CASTFORGE_UNKNOWN_TYPE);
  EXPECT(castforge_find_type("bool", NULL) == CASTFORGE_NULL_POINTER);
  EXPECT(castforge_type_at(castforge_type_count()) == CASTFORGE_NO_TYPE);
  EXPECT(castforge_type_name(CASTFORGE_NO_TYPE) == NULL);
  EXPECT(castforge_storage_bits(0xFFFF) == 0);
  for (i = 0; i < castforge_type_count(); ++i) {
    const castforge_type each = castforge_type_at(i);
    EXPECT(castforge_find_type(castforge_type_name(each), &type) == CASTFORGE_OK && type == each);
  }

  EXPECT(castforge_opset_count() > 0);
  EXPECT(castforge_opset_name(0) != NULL);
  EXPECT(castforge_opset_name(castforge_opset_count()) == NULL);
  EXPECT(castforge_admits("onnx@25", type_of("float32"), type_of("int2")) == 1);
  EXPECT(castforge_admits("onnx@24", type_of("float32"), type_of("int2")) == 0);
  EXPECT(castforge_admits("onyx@24", type_of("float32"), type_of("int8")) == 0);
  EXPECT(castforge_admits(NULL, 0, 0) == 1); /* the default op-set */
  EXPECT(castforge_admits("onnx@25", 0xFFFF, 0) == 0);
  /* As castforge_find_kernel finds it: the fallback where the default op-set lacks a type, and casts only. */
  EXPECT(castforge_find_kernel(NULL, type_of("uint1"), type_of("float32"), NULL, &kernel) == CASTFORGE_OK);
  EXPECT(castforge_admits(NULL, type_of("uint1"), type_of("float32")) == 1);
  EXPECT(castforge_admits("", type_of("uint1"), type_of("float32")) == 1);
  EXPECT(castforge_admits("onnx@28", type_of("uint1"), type_of("float32")) == 0);
  EXPECT(castforge_admits("openvino-range@4", type_of("float32"), type_of("float32")) == 0);
  EXPECT(castforge_admits("openvino-range@4", type_of("float32"), type_of("float16")) == 0);
  EXPECT(castforge_find_kernel("openvino-range@4", type_of("float32"), type_of("float16"), NULL, &kernel) ==
         CASTFORGE_WRONG_OPERATION);

  EXPECT(strcmp(castforge_isa_name(0), "portable") == 0);
  EXPECT(castforge_isa_usable(0) == 1);
  EXPECT(castforge_isa_name(castforge_isa_count()) == NULL);
  EXPECT(castforge_isa_usable(castforge_isa_count()) == 0);
  EXPECT(castforge_active_isa() != NULL);

  EXPECT(strcmp(castforge_status_string(CASTFORGE_OK), "ok") == 0);
  EXPECT(strcmp(castforge_status_string(CASTFORGE_BUFFERS_OVERLAP), "buffers_overlap") == 0);
  for (i = 0; i <= CASTFORGE_FILE_REFUSED; ++i) {
    EXPECT(strcmp(castforge_status_string((castforge_status)i), "unknown status") != 0);
  }
  EXPECT(strcmp(castforge_status_string((castforge_status)(CASTFORGE_FILE_REFUSED + 1)), "unknown status") == 0);
  EXPECT(strcmp(castforge_status_string((castforge_status)999), "unknown status") == 0);
  EXPECT(strcmp(castforge_status_string((castforge_status)9999), "unknown status") == 0);
  EXPECT(strcmp(castforge_status_string((castforge_status)-1), "unknown status") == 0);
  EXPECT(strlen(castforge_version()) > 0);
  EXPECT(strlen(castforge_manifest_hash()) > 0);
  return 0;
}

int c_kernels(void) {
  castforge_kernel kernel, copy;
  const unsigned char src[3] = {1, 2, 250};
  float dst[3] = {0, 0, 0};
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  castforge_attribute attributes[2];

  EXPECT(castforge_find_kernel("onnx@13", type_of("uint8"), type_of("float32"), NULL, &kernel) == CASTFORGE_OK);
  copy = kernel;
  EXPECT(castforge_run(&copy, src, dst, 3) == CASTFORGE_OK);
  EXPECT(dst[0] == 1.0f && dst[1] == 2.0f && dst[2] == 250.0f);
  EXPECT(castforge_run(&copy, NULL, NULL, 0) == CASTFORGE_OK);
  EXPECT(castforge_run(&copy, NULL, dst, 1) == CASTFORGE_NULL_POINTER);
  EXPECT(castforge_run(NULL, src, dst, 1) == CASTFORGE_NO_KERNEL);
  EXPECT(strncmp(kernel.name, "uint8_to_float32", 16) == 0);
  EXPECT(strcmp(kernel.isa, castforge_active_isa()) == 0);

  attributes[0].name = "round_mode";
  attributes[0].word = "down";
  attributes[0].number = 0;
  attributes[1].name = "saturate";
  attributes[1].word = NULL;
  attributes[1].number = 0;
  options.attributes = attributes;
  options.attribute_count = 2;
  options.isa = "portable";
  EXPECT(castforge_find_kernel("onnx@24", type_of("float32"), type_of("float8e8m0"), &options, &kernel) ==
         CASTFORGE_OK);
  EXPECT(strcmp(kernel.isa, "portable") == 0);
  return 0;
}

int c_notation(void) {
  castforge_kernel kernel;
  const float src[3] = {1.0f, 0.0f, -1e9f};
  unsigned char dst[3] = {0, 0, 0};
  char message[200] = "";
  const char* const text = "Convert<binary32, Binary8p3se, (NearestTiesToEven, SatFinite)>";
  EXPECT(castforge_find_kernel_by_notation(text, NULL, &kernel, message, sizeof message) == CASTFORGE_OK);
  EXPECT(kernel.src == type_of("float32") && kernel.dst == type_of("binary8p3se"));
  EXPECT(castforge_run(&kernel, src, dst, 3) == CASTFORGE_OK);
  EXPECT(dst[0] == 0x40 && dst[1] == 0 && dst[2] == 0xFE); /* the largest finite number */
  EXPECT(castforge_find_kernel_by_notation(text, "portable", &kernel, NULL, 0) == CASTFORGE_OK);
  EXPECT(strcmp(kernel.isa, "portable") == 0);
  EXPECT(castforge_find_kernel_by_notation(text, "mmx", &kernel, NULL, 0) == CASTFORGE_ISA_UNAVAILABLE);
  EXPECT(castforge_find_kernel_by_notation("Convert<a>", NULL, &kernel, message, 14) == CASTFORGE_UNKNOWN_OPSET);
  EXPECT(kernel.function == NULL && kernel.name == NULL && strcmp(message, "unknown op-se") == 0);
  EXPECT(castforge_find_kernel_by_notation("Convert<binary32, nothing, (NearestTiesToEven, SatFinite)>", NULL, &kernel,
                                           message, sizeof message) == CASTFORGE_UNKNOWN_TYPE);
  EXPECT(castforge_find_kernel_by_notation(NULL, NULL, &kernel, NULL, 0) == CASTFORGE_UNKNOWN_OPSET);
  EXPECT(castforge_find_kernel_by_notation(text, NULL, NULL, NULL, 0) == CASTFORGE_NULL_POINTER);
  return 0;
}

int c_failures(void) {
  castforge_kernel kernel;
  char message[200];
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  castforge_attribute attribute;
  castforge_attribute many[100];
  int i;
  const castforge_type f32 = type_of("float32"), f16 = type_of("float16");
  options.message = message;
  options.message_size = sizeof message;

  EXPECT(castforge_find_kernel("onnx@0", f32, f16, &options, &kernel) == CASTFORGE_UNKNOWN_OPSET);
  EXPECT(kernel.function == NULL && kernel.name == NULL);
  EXPECT(strncmp(message, "no such version of onnx: \"onnx@0\"", 33) == 0);
  EXPECT(castforge_find_kernel("onnx@99", f32, f16, &options, &kernel) == CASTFORGE_UNKNOWN_OPSET);
  EXPECT(strcmp(message, "\"onnx@99\" is above the newest version known, onnx@28") == 0);
  EXPECT(castforge_find_kernel(NULL, f32, f16, &options, &kernel) == CASTFORGE_OK);
  EXPECT(strcmp(castforge_default_opset("cast"), "onnx@28") == 0);
  EXPECT(castforge_default_opset("bake") == NULL && castforge_default_opset(NULL) == NULL);
  EXPECT(castforge_find_kernel("onnx@13", f32, 0xFFFF, &options, &kernel) == CASTFORGE_UNKNOWN_TYPE);
  EXPECT(strncmp(message, "unknown type 65535; `castforge", 29) == 0);
  EXPECT(castforge_find_kernel("onnx@13", f32, f16, &options, NULL) == CASTFORGE_NULL_POINTER);

  attribute.name = "saturate";
  attribute.word = NULL;
  attribute.number = 1;
  options.attributes = &attribute;
  options.attribute_count = 1;
  EXPECT(castforge_find_kernel("onnx@13", f32, f16, &options, &kernel) == CASTFORGE_UNKNOWN_ATTRIBUTE);
  EXPECT(strcmp(message, "onnx@13 has no attribute \"saturate\"; it has none") == 0);
  attribute.name = NULL;
  EXPECT(castforge_find_kernel("onnx@23", f32, f16, &options, &kernel) == CASTFORGE_UNKNOWN_ATTRIBUTE);
  options.attributes = NULL;
  EXPECT(castforge_find_kernel("onnx@13", f32, f16, &options, &kernel) == CASTFORGE_NULL_POINTER);
  EXPECT(strcmp(message, "the list of attributes is null, but has 1 element") == 0);

  for (i = 0; i < 100; ++i) {
    many[i].name = "saturate";
    many[i].word = NULL;
    many[i].number = i;
  }
  options.attributes = many;
  options.attribute_count = 100;
  EXPECT(castforge_find_kernel("onnx@23", f32, f16, &options, &kernel) == CASTFORGE_REPEATED_ATTRIBUTE);

  options.attributes = NULL;
  options.attribute_count = 0;
  options.isa = "mmx";
  EXPECT(castforge_find_kernel("onnx@23", f32, f16, &options, &kernel) == CASTFORGE_ISA_UNAVAILABLE);
  options.isa = NULL;
  message[10] = '#';
  options.message_size = 10;
  EXPECT(castforge_find_kernel("onyx@23", f32, f16, &options, &kernel) == CASTFORGE_UNKNOWN_OPSET);
  EXPECT(strcmp(message, "unknown o") == 0 && message[10] == '#');
  options.size = 8;
  EXPECT(castforge_find_kernel("onnx@23", f32, f16, &options, &kernel) == CASTFORGE_BAD_OPTIONS);
  return 0;
}

int c_tensors(void) {
  const signed char src[4] = {1, -2, 3, -4};
  int32_t dst[4] = {0, 0, 0, 0};
  const int64_t shape[2] = {2, 2};
  castforge_tensor from;
  castforge_mutable_tensor to;
  char message[100];
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  options.message = message;
  options.message_size = sizeof message;
  from.type = type_of("int8");
  from.rank = 2;
  from.shape = shape;
  from.data = src;
  from.bytes = sizeof src;
  to.type = type_of("int32");
  to.rank = 2;
  to.shape = shape;
  to.data = dst;
  to.bytes = sizeof dst;
  EXPECT(castforge_cast("onnx@13", &from, &to, NULL) == CASTFORGE_OK);
  EXPECT(dst[0] == 1 && dst[1] == -2 && dst[2] == 3 && dst[3] == -4);
  dst[3] = 0;
  EXPECT(castforge_cast_like("onnx@24", &from, to.type, &to, &options) == CASTFORGE_OK);
  EXPECT(dst[3] == -4);
  EXPECT(castforge_cast_like("onnx@24", &from, from.type, &to, &options) == CASTFORGE_TYPE_MISMATCH);
  EXPECT(strcmp(message, "the destination is of type int32, expected int8") == 0);

  to.bytes = 15;
  EXPECT(castforge_cast("onnx@13", &from, &to, &options) == CASTFORGE_BUFFER_TOO_SMALL);
  EXPECT(strcmp(message, "the destination holds 15 bytes, needed are 16") == 0);
  EXPECT(castforge_cast("onnx@13", NULL, &to, &options) == CASTFORGE_NULL_POINTER);
  EXPECT(strcmp(message, "the source is null") == 0);
  EXPECT(castforge_cast("onnx@13", &from, NULL, &options) == CASTFORGE_NULL_POINTER);
  to.shape = NULL;
  EXPECT(castforge_cast("onnx@13", &from, &to, &options) == CASTFORGE_NULL_POINTER);
  to.shape = shape;
  to.type = 0xFFFF;
  EXPECT(castforge_cast("onnx@13", &from, &to, &options) == CASTFORGE_UNKNOWN_TYPE);
  return 0;
}

static void in_reverse(void* context, size_t tasks, castforge_task task, void* task_data) {
  *(size_t*)context = tasks;
  while (tasks > 0) task(task_data, --tasks);
}

int c_threads(void) {
  static unsigned char src[5000];
  static uint16_t dst[5000];
  size_t i, tasks = 0;
  const int64_t shape[1] = {5000};
  castforge_tensor from;
  castforge_mutable_tensor to;
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  options.parallel_for = in_reverse;
  options.parallel_context = &tasks;
  options.elements_per_task = 1000;
  for (i = 0; i < 5000; ++i) src[i] = (unsigned char)(i * 7);
  from.type = type_of("uint8");
  from.rank = 1;
  from.shape = shape;
  from.data = src;
  from.bytes = sizeof src;
  to.type = type_of("uint16");
  to.rank = 1;
  to.shape = shape;
  to.data = dst;
  to.bytes = sizeof dst;
  EXPECT(castforge_cast("onnx@13", &from, &to, &options) == CASTFORGE_OK);
  EXPECT(tasks == 5);
  for (i = 0; i < 5000; ++i) EXPECT(dst[i] == src[i]);
  return 0;
}

static void append(void* context, size_t index, const char* text, size_t length) {
  char* out = (char*)context;
  (void)index;
  strncat(out, text, length);
  strcat(out, ";");
}

int c_text(void) {
  const float src[3] = {1.5f, -2.0f, 0.1f};
  float dst[3] = {0, 0, 0};
  char out[100] = "";
  const char* chars = "1.5-2x";
  const size_t offsets[4] = {0, 3, 5, 6};
  uint64_t bad = 77;
  castforge_options options = CASTFORGE_OPTIONS_INIT;
  const castforge_type f32 = type_of("float32");
  options.bad_element = &bad;
  EXPECT(castforge_format_text("onnx@13", f32, src, 3, append, out, NULL) == CASTFORGE_OK);
  EXPECT(strcmp(out, "1.5;-2;0.1;") == 0);
  EXPECT(castforge_format_text("onnx@13", f32, src, 3, NULL, out, NULL) == CASTFORGE_NULL_POINTER);
  EXPECT(castforge_parse_text("onnx@13", f32, chars, offsets, 2, dst, &options) == CASTFORGE_OK);
  EXPECT(dst[0] == 1.5f && dst[1] == -2.0f && bad == 77);
  EXPECT(castforge_parse_text("onnx@13", f32, chars, offsets, 3, dst, &options) == CASTFORGE_BAD_NUMBER);
  EXPECT(bad == 2);
  EXPECT(castforge_parse_text("onnx@13", 0xFFFF, chars, offsets, 3, dst, &options) == CASTFORGE_UNKNOWN_TYPE);

  /* An instruction set makes no difference to texts; one that cannot be used is an error as everywhere. */
  options.isa = "portable";
  out[0] = '\0';
  EXPECT(castforge_format_text("onnx@13", f32, src, 3, append, out, &options) == CASTFORGE_OK);
  EXPECT(strcmp(out, "1.5;-2;0.1;") == 0);
  EXPECT(castforge_parse_text("onnx@13", f32, chars, offsets, 2, dst, &options) == CASTFORGE_OK);
  options.isa = "mmx";
  out[0] = '\0';
  EXPECT(castforge_format_text("onnx@13", f32, src, 3, append, out, &options) == CASTFORGE_ISA_UNAVAILABLE);
  EXPECT(out[0] == '\0');
  dst[0] = 77;
  EXPECT(castforge_parse_text("onnx@13", f32, chars, offsets, 2, dst, &options) == CASTFORGE_ISA_UNAVAILABLE);
  EXPECT(dst[0] == 77);
  return 0;
}
