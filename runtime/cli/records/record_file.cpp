#include "cli/records/record_file.hpp"

#include "cli/io/descriptor.hpp"
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
#include <optional>
#include <string_view>
#include <tuple>

namespace castforge::records {
namespace {

constexpr std::string_view kHead = "kernel\tmeaning\tprograms\thow\tisas\tcodes\ttool";
constexpr std::size_t kColumns = 7;

const char* word_of(How how) { return how == How::exhaustive ? "exhaustive" : "smt"; }

std::string line_of(const Record& record) {
  return record.kernel + '\t' + record.meaning + '\t' + record.programs + '\t' + word_of(record.how) + '\t' +
         (record.isas.empty() ? "all" : cli::joined(record.isas, ",")) + "\t2^" + std::to_string(record.code_bits) +
         '\t' + record.tool + '\n';
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

std::vector<Record> read_records(const std::filesystem::path& path) {
  const std::string name = cli::printable(path.string());
  std::ifstream file(path, std::ios::binary);
  if (!file) throw cli::io_error(name, "cannot read", errno);
  std::vector<Record> records;
  std::size_t number = 0;
  const auto fail = [&](const std::string& problem) {
    return cli::bad_file(name + ":" + std::to_string(number), problem);
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
    constexpr int kMost = 1000;  // of others that put a file in its place meanwhile
    for (int attempt = 0; attempt < kMost; ++attempt) {
      file_.emplace(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
      if (file_->number < 0) throw cli::io_error(name_, "cannot write", errno);
      while (::flock(file_->number, LOCK_EX) != 0 && errno == EINTR) {
      }
      struct stat locked = {}, named = {};
      if (::fstat(file_->number, &locked) != 0) throw cli::io_error(name_, "cannot write", errno);
      if (::stat(path.c_str(), &named) != 0 || locked.st_ino != named.st_ino || locked.st_dev != named.st_dev) continue;
      size_ = locked.st_size;
      return;
    }
    throw cli::io_error(name_, "cannot lock", EBUSY);
  }

  bool is_empty() const { return size_ == 0; }

  /// Whether lines can be appended: the last one is whole.
  bool ends_in_line() const {
    char last = 0;
    return ::pread(file_->number, &last, 1, size_ - 1) == 1 && last == '\n';
  }

  void append(std::string_view line) const {
    if (!cli::write_all(file_->number, line.data(), line.size())) throw cli::io_error(name_, "cannot write", errno);
  }

 private:
  std::string name_;
  std::optional<cli::Descriptor> file_;
  off_t size_ = 0;
};

RecordFile::RecordFile(std::filesystem::path path, const std::function<bool(const Record&)>& holds)
    : path_(std::move(path)) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path_, error);
  // "-" and its like are open already, whatever they are: nothing that can be replaced as a whole.
  if (cli::descriptor_of_output(path_.native()) ||
      (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
    throw cli::Failure(cli::ExitCode::input_output,
                       cli::printable(path_.string()) + ": records are kept in regular files only");
  const Locked file(path_);
  if (!file.is_empty()) records_ = read_records(path_);
  dropped_ = std::erase_if(records_, [&](const Record& record) { return !holds(record); });
  if (dropped_ != 0 || file.is_empty() || !file.ends_in_line()) write_all();
}

void RecordFile::add(Record record) {
  const Locked file(path_);
  records_.push_back(std::move(record));
  if (!file.is_empty() && file.ends_in_line()) return file.append(line_of(records_.back()));
  // Somebody has removed it, or was stopped in the middle of a line.
  take_those_of_others(file);
  write_all();
}

void RecordFile::sort() {
  const Locked file(path_);
  take_those_of_others(file);
  std::stable_sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
    return std::tie(a.kernel, a.how, a.programs) < std::tie(b.kernel, b.how, b.programs);
  });
  write_all();
}

/// Others may have added to the file, shards of the same work for instance.
void RecordFile::take_those_of_others(const Locked& file) {
  if (file.is_empty()) return;
  for (Record& record : read_records(path_)) {
    if (std::find(records_.begin(), records_.end(), record) == records_.end()) records_.push_back(std::move(record));
  }
}

/// Under the lock. The file is replaced as a whole: whoever stops the program loses no record.
void RecordFile::write_all() const {
  std::string lines = std::string(kHead) + '\n';
  for (const Record& record : records_) lines += line_of(record);
  cli::write_file(path_.string(), lines);
}

}  // namespace castforge::records
