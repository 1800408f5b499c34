#include <castforge/kernel.hpp>

#include "src/isa_table.hpp"
#include "src/loaded/data_kernel.hpp"
#include "src/opset_tables.hpp"
#include "src/registry.hpp"
#include "src/status_parts.hpp"
#include "src/streaming.hpp"
#include "src/type_rows.hpp"

namespace castforge {
Type Kernel::src() const noexcept { return table_->src; }
Type Kernel::dst() const noexcept { return table_->dst; }
std::string_view Kernel::name() const noexcept { return table_->name; }
std::string_view Kernel::meaning() const noexcept { return table_->meaning; }
const Rule& Kernel::rule() const noexcept { return table_->rule; }

KernelForm Kernel::form() const noexcept {
  if (function_ != nullptr) return KernelForm::code;
  const loadable::Form form = static_cast<const DataKernel*>(table_)->form;
  return form == loadable::Form::rule ? KernelForm::rule : KernelForm::table;
}

Status Kernel::without_buffer(const void* src, std::size_t count) noexcept {
  if (count == 0) return Status();
  return simple_status(StatusCode::null_pointer, src == nullptr ? Role::source : Role::destination, count);
}

void Kernel::run_large(const void* src, void* dst, std::size_t count) const noexcept {
  const auto src_bits = static_cast<std::size_t>(type_row(table_->src).storage_bits);
  const auto dst_bits = static_cast<std::size_t>(type_row(table_->dst).storage_bits);
  run_for_size({function_, isa_, src_bits, dst_bits, table_}, src, dst, count, count / 8 * (src_bits + dst_bits));
}

Kernel find_kernel(OpSet opset, Type src, Type dst, const Attributes& attributes, std::string_view isa) noexcept {
  if (opset.table() == nullptr) return Kernel(simple_status(StatusCode::unknown_opset, Role::none, 0, kNoOpSet));
  const IsaChoice choice = choose_isa(isa);
  if (!choice.status) return Kernel(choice.status);
  if (!describes_conversions(*opset.table())) return Kernel(check_conversion(*opset.table()));
  const Selection selection = select(*opset.table(), src, dst, attributes);
  if (!selection.status) return Kernel(selection.status);
  const tables::Entry entry = selection.variant->entry;
  if (entry.is_text()) return Kernel(pair_status(StatusCode::text_conversion, opset.table(), src, dst));
  const Registry& all = registry();
  return Kernel(all.fastest_function(*choice.isa, entry.index()), &all.kernel_row(entry.index()), choice.isa->name);
}

Kernel find_kernel(std::string_view opset, Type src, Type dst, const Attributes& attributes,
                   std::string_view isa) noexcept {
  OpSet found(registry().opset_named(opset));  // as most names are written out, without a Status
  if (found.table() == nullptr) {
    if (const Status status = find_opset(opset, src, dst, found); !status) return Kernel(status);
  }
  return find_kernel(found, src, dst, attributes, isa);
}

std::size_t kernel_count() noexcept { return registry().kernel_count(); }

Kernel kernel_at(std::size_t index, std::string_view isa) noexcept {
  if (index >= kernel_count()) return Kernel();
  const IsaChoice choice = choose_isa(isa);
  if (!choice.status) return Kernel(choice.status);
  const Registry& all = registry();
  return Kernel(all.kernel_function(*choice.isa, index), &all.kernel_row(index), choice.isa->name);
}

}  // namespace castforge
