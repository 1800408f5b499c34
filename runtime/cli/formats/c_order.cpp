#include "cli/formats/c_order.hpp"

#include "cli/io/failure.hpp"

#include <algorithm>
#include <cstring>

namespace castforge::cli {
namespace {

// Two places of the file that are no farther apart than this are read together: it costs less than another call.
constexpr std::uint64_t kNear = 1 << 14;
constexpr std::size_t kWindow = 1 << 18;

template <std::size_t kBytes>
void scatter(const char* from, char* to, std::uint64_t run, std::uint64_t step) {
  for (std::uint64_t i = 0; i < run; ++i) std::memcpy(to + i * step * kBytes, from + i * kBytes, kBytes);
}

}  // namespace

COrder::COrder(InputFile& file, std::uint64_t begin, const Shape& shape, std::size_t item_bytes, std::size_t budget)
    : file_(file), begin_(begin), shape_(shape), item_bytes_(item_bytes) {
  if (shape_.empty()) shape_ = {1};
  for (const std::uint64_t extent : shape_) count_ *= extent;
  if (count_ == 0) return;
  // The first axis one of whose places fits; the last one's always does.
  const std::uint64_t most = std::max<std::uint64_t>(budget / item_bytes, 1);
  inner_ = count_ / shape_[0];
  while (axis_ + 1 < shape_.size() && inner_ > most) {
    stride_ *= shape_[axis_];
    inner_ /= shape_[++axis_];
  }
  axis_items_ = std::clamp<std::uint64_t>(most / inner_, 1, shape_[axis_]);
}

COrder::Slab COrder::slab_at(std::uint64_t item) const {
  const std::uint64_t row = item / inner_;  // of all places of the axes up to this one
  const std::uint64_t place = row % shape_[axis_];
  Slab slab;
  slab.first = place / axis_items_ * axis_items_;
  slab.end = std::min(slab.first + axis_items_, shape_[axis_]);
  slab.begin = (row - place + slab.first) * inner_;
  slab.size = (slab.end - slab.first) * inner_;
  // The fixed places, from the axis before this one back to the first.
  std::uint64_t rest = row / shape_[axis_], stride = stride_;
  for (std::size_t axis = axis_; axis-- > 0;) {
    stride /= shape_[axis];
    slab.at += rest % shape_[axis] * stride;
    rest /= shape_[axis];
  }
  return slab;
}

const char* COrder::window(std::uint64_t offset, std::size_t length) {
  const std::uint64_t end = buffer_at_ + buffered_;
  if (offset < buffer_at_ || offset + length > end) {
    const std::uint64_t all = begin_ + size();
    const bool goes_on = offset >= buffer_at_ && offset <= end + kNear;
    const std::size_t wanted = goes_on ? std::max(length, kWindow) : length;
    buffered_ = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, all - offset));
    if (buffer_.size() < buffered_) buffer_.resize(buffered_);
    file_.read_exactly(offset, buffer_.data(), buffered_, "element data");
    buffer_at_ = offset;
  }
  return buffer_.data() + (offset - buffer_at_);
}

/// `run` items that follow each other in the file go to the slab, `step` items apart.
void COrder::put(std::uint64_t file_item, std::uint64_t run, std::uint64_t place, std::uint64_t step) {
  const std::uint64_t most = std::max<std::uint64_t>(kWindow / item_bytes_, 1);
  for (std::uint64_t done = 0; done < run;) {
    const std::uint64_t part = std::min(run - done, most);
    const char* from = window(begin_ + (file_item + done) * item_bytes_, static_cast<std::size_t>(part * item_bytes_));
    char* to = items_.data() + (place + done * step) * item_bytes_;
    switch (item_bytes_) {
      case 1: scatter<1>(from, to, part, step); break;
      case 2: scatter<2>(from, to, part, step); break;
      case 4: scatter<4>(from, to, part, step); break;
      case 8: scatter<8>(from, to, part, step); break;
      default:
        for (std::uint64_t i = 0; i < part; ++i)
          std::memcpy(to + i * step * item_bytes_, from + i * item_bytes_, item_bytes_);
    }
    done += part;
  }
}

void COrder::load(const Slab& slab) {
  slab_ = slab;
  items_.resize(static_cast<std::size_t>(slab.size * item_bytes_));
  // The axes behind, the last one slowest: as the file has them.
  const std::size_t behind = shape_.size() - axis_ - 1;
  std::vector<std::uint64_t> index(behind, 0), file_stride(behind), place_stride(behind);
  std::uint64_t stride = stride_ * shape_[axis_], place = inner_;
  for (std::size_t i = 0; i < behind; ++i) {
    file_stride[i] = stride;
    stride *= shape_[axis_ + 1 + i];
    place /= shape_[axis_ + 1 + i];
    place_stride[i] = place;
  }
  std::uint64_t file_item = slab.at, to = 0;
  for (;;) {
    if (stride_ == 1) {
      put(file_item + slab.first, slab.end - slab.first, to, inner_);
    } else {
      for (std::uint64_t i = slab.first; i < slab.end; ++i)
        put(file_item + i * stride_, 1, to + (i - slab.first) * inner_, inner_);
    }
    std::size_t axis = 0;
    for (; axis < behind; ++axis) {
      file_item += file_stride[axis];
      to += place_stride[axis];
      if (++index[axis] < shape_[axis_ + 1 + axis]) break;
      file_item -= file_stride[axis] * index[axis];
      to -= place_stride[axis] * index[axis];
      index[axis] = 0;
    }
    if (axis == behind) return;
  }
}

std::size_t COrder::read_at(std::uint64_t offset, void* dst, std::size_t length) {
  std::size_t done = 0;
  while (done < length && offset + done < size()) {
    const std::uint64_t item = (offset + done) / item_bytes_;
    if (item < slab_.begin || item >= slab_.begin + slab_.size) load(slab_at(item));
    const std::uint64_t from = offset + done - slab_.begin * item_bytes_;
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(length - done, slab_.size * item_bytes_ - from));
    std::memcpy(static_cast<char*>(dst) + done, items_.data() + from, part);
    done += part;
  }
  return done;
}

}  // namespace castforge::cli
