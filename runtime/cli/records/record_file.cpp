#include "cli/records/record_file.hpp"

#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <tuple>

namespace castforge::records {
namespace {

constexpr std::string_view kHead = "kernel\tmeaning\tprograms\thow\tisas\tcodes\ttool";
constexpr std::size_t kColumns = 7;

std::string joined(const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ",") + word;
  return list;
}

const char* word_of(How how) { return how == How::exhaustive ? "exhaustive" : "smt"; }

std::string line_of(const Record& record) {
  return record.kernel + '\t' + record.meaning + '\t' + record.programs + '\t' + word_of(record.how) + '\t' +
         (record.isas.empty() ? "all" : joined(record.isas)) + "\t2^" + std::to_string(record.code_bits) + '\t' +
         record.tool + '\n';
}

/// Says what is wrong with a line, or nothing.
std::string parse(const std::string& line, Record& record) {
  const std::vector<std::string> cells = split(line, '\t');
  if (cells.size() != kColumns)
    return "expected " + std::to_string(kColumns) + " columns, found " + std::to_string(cells.size());
  record = {};
  record.kernel = cells[0];
  record.meaning = cells[1];
  record.programs = cells[2];
  if (cells[3] != "exhaustive" && cells[3] != "smt") return "expected exhaustive or smt, found \"" + cells[3] + "\"";
  record.how = cells[3] == "smt" ? How::smt : How::exhaustive;
  if (cells[4] != "all") record.isas = split(cells[4], ',');
  if (record.isas.empty() != (record.how == How::smt))
    return "expected the instruction sets that ran, or all for a proof, found \"" + cells[4] + "\"";
  const std::string& codes = cells[5];
  const char* const end = codes.data() + codes.size();
  if (!codes.starts_with("2^") || std::from_chars(codes.data() + 2, end, record.code_bits).ptr != end ||
      record.code_bits < 1 || record.code_bits > 64)
    return "expected the number of source codes, 2^1 to 2^64, found \"" + codes + "\"";
  record.tool = cells[6];
  return "";
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<Record> read_records(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  std::vector<Record> records;
  std::size_t number = 0;
  const auto fail = [&](const std::string& problem) {
    return std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + problem);
  };
  for (std::string line; std::getline(file, line);) {
    if (++number == 1) {
      if (line != kHead) throw fail("this is no file of verification records: expected the columns of one");
      continue;
    }
    if (file.eof()) break;  // without its end: what was written when the program was stopped
    Record record;
    if (const std::string problem = parse(line, record); !problem.empty()) throw fail(problem);
    records.push_back(std::move(record));
  }
  if (number == 0) throw fail("this is no file of verification records: it is empty");
  return records;
}

/// The file that has a path now, made where there is none, and locked: whoever appends to it or puts another one in its
/// place does that before or after.
class RecordFile::Locked {
 public:
  explicit Locked(const std::filesystem::path& path) : name_(cli::printable(path.string())) {
    struct stat mine {
    }, named{};
    do {
      if (descriptor_ >= 0) ::close(descriptor_);
      descriptor_ = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
      if (descriptor_ < 0) throw cli::io_error(name_, "cannot write", errno);
      while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
      }
      if (::fstat(descriptor_, &mine) != 0) throw cli::io_error(name_, "cannot write", errno);
      if (::stat(path.c_str(), &named) != 0) named = {};  // somebody has removed it
    } while (mine.st_ino != named.st_ino || mine.st_dev != named.st_dev);
    size_ = mine.st_size;
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { ::close(descriptor_); }

  bool is_empty() const { return size_ == 0; }

  /// Whether lines can be appended: the last one is whole.
  bool ends_in_line() const {
    char last = 0;
    return ::pread(descriptor_, &last, 1, size_ - 1) == 1 && last == '\n';
  }

  void append(std::string_view line) const {
    while (!line.empty()) {
      const ssize_t put = ::write(descriptor_, line.data(), line.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) throw cli::io_error(name_, "cannot write", errno);
      line.remove_prefix(static_cast<std::size_t>(put));
    }
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  off_t size_ = 0;
};

RecordFile::RecordFile(std::filesystem::path path, const std::function<bool(const Record&)>& holds)
    : path_(std::move(path)) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path_, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw cli::Failure(cli::ExitCode::input_output,
                       cli::printable(path_.string()) + ": records are kept in regular files only");
  const Locked file(path_);
  if (!file.is_empty()) records_ = read_records(path_);
  const std::size_t erased = std::erase_if(records_, [&](const Record& record) { return !holds(record); });
  if (erased != 0 || file.is_empty() || !file.ends_in_line()) write_all();
}

void RecordFile::add(Record record) {
  Locked(path_).append(line_of(record));
  records_.push_back(std::move(record));
}

void RecordFile::sort() {
  const Locked file(path_);
  // Others may have added to the file, shards of the same work for instance.
  if (!file.is_empty()) {
    for (Record& record : read_records(path_)) {
      if (std::find(records_.begin(), records_.end(), record) == records_.end()) records_.push_back(std::move(record));
    }
  }
  std::stable_sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
    return std::tie(a.kernel, a.how, a.programs) < std::tie(b.kernel, b.how, b.programs);
  });
  write_all();
}

/// Under the lock. The file is replaced as a whole: whoever stops the program loses no record.
void RecordFile::write_all() const {
  std::string lines = std::string(kHead) + '\n';
  for (const Record& record : records_) lines += line_of(record);
  cli::write_file(path_.string(), lines);
}

}  // namespace castforge::records
