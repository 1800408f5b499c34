// castforge-gen: specs in, audited C++ out.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <set>

#include "cli/io/failure.hpp"
#include "cli/io/output_file.hpp"
#include "cli/io/standard_descriptors.hpp"
#include "cli/terminal/colours.hpp"
#include "cli/terminal/self_commands.hpp"
#include "cli/terminal/usage.hpp"
#include "command/arguments.hpp"
#include "command/command.hpp"
#include "command/places.hpp"
#include "spec/attributes.hpp"
#include "spec/loader.hpp"
#include "spec/shelf.hpp"
#include "tabulate/make.hpp"

namespace {

using namespace castforge;

/// What the values in the help may be.
terminal::ValueWords value_words(const std::vector<std::filesystem::path>& specs) {
  const spec::SpecModel model = spec::load(specs);
  terminal::ValueWords words;
  for (const auto& type : model.types) words["TYPE"].push_back(type->name);
  std::set<std::string> assignments;
  for (const auto& opset : model.opsets) {
    words["OPSET"].push_back(opset->name());
    for (const spec::Attribute& attribute : opset->attributes) {
      for (const spec::AttributeValue& value : attribute.values)
        assignments.insert(attribute.name + "=" + spec::print(value));
    }
  }
  words["NAME=VALUE"].assign(assignments.begin(), assignments.end());
  return words;
}

/// An error line: what it begins with is coloured on a terminal.
void complain(const char* what, const char* message) {
  const terminal::Painter paint(STDERR_FILENO);
  // Names of files and words of the command line come back in messages.
  std::fprintf(stderr, "%s %s\n", paint(terminal::Colour::red, what).c_str(), cli::printable_lines(message).c_str());
}

int run(int argc, char** argv) {
  CLI::App app{
      "castforge-gen writes the cast kernels of castforge from JSON specs.\n"
      "It reads number formats and op-set rules, checks every kernel against exact integer\n"
      "semantics, and only then writes C++ that a reviewer can read.\n\n"
      "Typical use:\n"
      "  castforge-gen generate                              write what changed in generated/\n"
      "  castforge-gen check                                 is generated/ what the specs say?\n"
      "  castforge-gen explain float32 float8e4m3fn --opset onnx@23 --attr saturate=0\n"
      "  castforge-gen tables float8e3m4.json -o float8e3m4.cft    kernels as data, no compiler needed\n"
      "  castforge-gen amalgamate --pairs float32:float8e4m3fn -o vendor    one header, one source, no library\n"
      "  castforge-gen new-type float8e3m4 --bits 8 --exponent 3 --mantissa 4 --nan ieee"};
  app.name("castforge-gen");
  app.set_version_flag("--version", std::string(CASTFORGE_VERSION));
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 ok, 1 spec error or bad file of records or speeds, 2 usage, 3 drift, 4 input/output, "
      "5 verification failed.");

  command::Places places = command::default_places(argv[0], CASTFORGE_SOURCE_DIR, CASTFORGE_INSTALL_DATADIR);
  const std::vector<std::filesystem::path> shipped = places.specs;
  std::vector<std::filesystem::path> added;
  std::vector<std::string> specs_as_named;
  // Paths, and names of shipped specs that no library has by default.
  const CLI::Validator spec_path(
      [&](std::string& text) {
        try {
          specs_as_named.push_back(text);
          if (!text.empty()) text = spec::named_spec(shipped.front(), text).string();
        } catch (const std::invalid_argument& error) {
          throw cli::Failure(cli::ExitCode::input_output, error.what());  // as of any file that is not there
        }
        return std::string();
      },
      "PATH|NAME", "spec");
  const auto with_evidence = [&](CLI::App* sub) {
    sub->add_option("--evidence", places.evidence,
                    "A folder with records of verification (`castforge verify --record`, `verify --level smt "
                    "--record`), which mark the plans that they speak of; the shipped one otherwise")
        ->type_name("FOLDER")
        ->check(command::existing_folder());
  };
  const auto with_places = [&](CLI::App* sub, bool out) {
    sub->add_option("--specs", added,
                    "A folder or file with specs of your own, merged with the shipped ones, or the name of a shipped "
                    "one (shelf/binary8p3ue, ieee754@2019); may be repeated. A whole spec tree (types/, roundings/ and "
                    "opsets/) takes the place of the shipped one")
        ->type_name("PATH|NAME")
        ->transform(spec_path);
    if (!out) return;
    with_evidence(sub);
    sub->add_option("--opsets", places.opsets,
                    "Of the shipped op-sets only these: names and families, separated by commas. Without it, those "
                    "that are compiled in by default (key `compiled` of their specs)")
        ->type_name("OPSETS")
        ->check(command::comma_list("NAME,NAME,..."))
        ->allow_extra_args(false);
    sub->add_option(
           "--out", places.out,
           "The folder of generated files; otherwise generated/, in the source tree where this is the program of "
           "one")
        ->type_name("FOLDER")
        ->check(terminal::folder_path());
  };

  auto* generate = app.add_subcommand("generate", "Write the generated files that changed, remove orphans");
  with_places(generate, true);
  generate
      ->add_option("--next-plan-on", places.next_on,
                   "For measurements: every kernel without the plan that this instruction set runs, where it has "
                   "another one for it")
      ->type_name("ISA")
      ->check(terminal::one_of(command::instruction_sets()))
      ->needs("--out");
  auto* check = app.add_subcommand("check", "Regenerate in memory and compare; exit 3 when anything differs");
  with_places(check, true);
  for (CLI::App* sub : {generate, check}) {
    sub->add_option("--beside", places.beside,
                    "MANIFEST.tsv of the library that the shipped specs make: only types, kernels and cells of op-sets "
                    "that it lacks, to be added to it (the CMake function castforge_add_kernels does so)")
        ->type_name("FILE")
        ->check(command::existing_file());
  }

  std::string manifest;
  check
      ->add_option("--manifest", manifest,
                   "Instead: is a library with this manifest hash, which `castforge info` prints, what the specs "
                   "make? Exit 3 when not")
      ->type_name("HASH")
      ->check(terminal::not_empty("the hash of a manifest"));

  bool json = false;
  const auto with_json = [&json](CLI::App* sub) { sub->add_flag("--json", json, "Print JSON"); };
  with_json(generate);
  with_json(check);

  std::string what;
  auto* list = app.add_subcommand("list", "List types, op-sets, rules, kernels or files");
  list->add_option("WHAT", what, "types, opsets, rules, kernels or files")
      ->type_name("WHAT")
      ->required()
      ->check(terminal::one_of({"types", "opsets", "rules", "kernels", "files"}));
  with_json(list);
  with_places(list, false);

  command::TablesRequest request;
  auto* tables = app.add_subcommand(
      "tables", "Write formats and rules of your own as data, to be loaded without a compiler (`castforge --load`)");
  tables
      ->add_option(
          "SPEC", added,
          "Files or folders with types, rounding modes and op-sets that the library lacks, or names of shipped "
          "ones (shelf/binary8p3ue, ieee754@2019)")
      ->required()
      ->type_name("PATH|NAME")
      ->transform(spec_path);
  tables->add_option("-o,--out", request.out, "The file to write, NAME.cft")
      ->required()
      ->type_name("FILE")
      ->check(terminal::file_path());
  tables->add_option("--opset", request.opsets, "Only conversions of this op-set; may be repeated. None: of all")
      ->type_name("OPSET")
      ->allow_extra_args(false);
  tables->add_option("--pairs", request.pairs, "Only these conversions, as SRC:DST,SRC:DST,...")
      ->type_name("PAIRS")
      ->check(command::comma_list("SRC:DST,SRC:DST,..."))
      ->allow_extra_args(false);
  with_json(tables);
  tables->footer(
      "Examples:\n"
      "  castforge-gen tables float8e3m4.json -o float8e3m4.cft\n"
      "  castforge-gen tables float8e3m4.json -o small.cft --opset castforge@1 --pairs float32:float8e3m4\n"
      "  castforge --load float8e3m4.cft cast weights.npy out.raw --to float8e3m4 --opset castforge@1");

  command::AmalgamRequest copied;
  auto* amalgamate = app.add_subcommand(
      "amalgamate",
      "Write conversions as one C header and one C source that need no library, to be copied into another tree.\n"
      "The source holds every instruction set and picks the best one at run time; one -O2 without any -m flag\n"
      "compiles all of it. With -DCASTFORGE_CASTS_SELF_TEST it is a program that tests itself. The bits are those of\n"
      "the library, as the plans are");
  amalgamate->add_option("--pairs", copied.pairs, "The conversions, as SRC:DST,SRC:DST,...")
      ->required()
      ->type_name("PAIRS")
      ->check(command::comma_list("SRC:DST,SRC:DST,..."))
      ->allow_extra_args(false);
  amalgamate
      ->add_option("--opset", copied.opset,
                   "Op-set whose rules hold, for example onnx@28; a family alone means its newest version. "
                   "Otherwise the newest version of the default, which `list opsets` marks")
      ->type_name("OPSET");
  amalgamate
      ->add_option("--attr", copied.attributes,
                   "For all pairs; may be repeated. The same name with two values gives both functions")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  amalgamate
      ->add_option("--isa", copied.sets,
                   "Instruction sets beside portable C, as NAME,NAME,...; all otherwise. "
                   "With two of them the files are little more than half as long")
      ->type_name("ISAS")
      ->check(command::comma_list("NAME,NAME,..."))
      ->allow_extra_args(false);
  amalgamate->add_option("--lang", copied.language, "c (C99) or c++ (C++17); the functions have C linkage in both")
      ->type_name("LANGUAGE")
      ->check(terminal::one_of({"c", "c++"}))
      ->capture_default_str();
  amalgamate->add_option("--name", copied.name, "What the files are called and NAME_isa(), NAME_use_isa() begin with")
      ->type_name("NAME")
      ->capture_default_str();
  amalgamate->add_option("-o,--out", copied.out, "The folder to write to; made where there is none")
      ->type_name("FOLDER")
      ->required()
      ->check(terminal::folder_path());
  with_places(amalgamate, false);
  amalgamate->footer(
      "Examples:\n"
      "  castforge-gen amalgamate --pairs float32:float8e4m3fn,float8e4m3fn:float32 --opset onnx@28 -o vendor\n"
      "  castforge-gen amalgamate --pairs float32:float8e5m2 --attr saturate=0 --attr saturate=1 -o vendor\n"
      "  cc -std=c99 -O2 -DCASTFORGE_CASTS_SELF_TEST vendor/castforge_casts.c -o self_test && ./self_test\n\n"
      "A conversion is called the same in all amalgams: those of one program must have none in common.");

  command::ExplainQuery query;
  std::string element;
  auto* explain = app.add_subcommand(
      "explain", "From a pair to its rule, its spec line, its cited text, its truth table and its source");
  explain->add_option("SRC", query.src, "Source type (name or alias), or alone a conversion as its system writes it")
      ->required()
      ->type_name("TYPE");
  explain->add_option("DST", query.dst, "Destination type")->type_name("TYPE");
  explain
      ->add_option("--opset", query.opset,
                   "Op-set, for example onnx@23; a family alone means its newest version. Otherwise the newest "
                   "version of the default, which `list opsets` marks")
      ->type_name("OPSET");
  explain->add_option("--attr", query.attributes, "name=value; may be repeated")->type_name("NAME=VALUE");
  explain
      ->add_option("--element", element,
                   "The bits of one source element, 0x3FA66666: what every plan computes from it, step by step")
      ->type_name("BITS");
  with_json(explain);
  with_evidence(explain);
  with_places(explain, false);

  command::AuditRequest report;
  auto* audit = app.add_subcommand("audit", "Write a report of every pair as HTML pages that need nothing else");
  audit->add_option("-o,--out", report.out, "Folder to write: a new or empty one, or that of an earlier report")
      ->required()
      ->type_name("FOLDER")
      ->check(terminal::folder_path());
  report.speeds = command::shipped_speeds(argv[0], CASTFORGE_SOURCE_DIR, CASTFORGE_INSTALL_DATADIR);
  audit
      ->add_option("--speeds", report.speeds,
                   "Speeds, as `castforge bench --tsv` writes them; the shipped ones otherwise")
      ->type_name("FILE")
      ->check(command::existing_file());
  with_evidence(audit);
  with_places(audit, false);
  audit->footer(
      "Examples:\n"
      "  castforge-gen audit -o report\n"
      "  castforge bench --all --isa all --opset castforge@1 --tsv speeds.tsv\n"
      "  castforge-gen audit -o report --speeds speeds.tsv\n"
      "  cd report && sha256sum -c SHA256SUMS");

  command::VerifyQuery verification;
  auto* verify = app.add_subcommand(
      "verify", "Hold every plan against the exact semantics; exit 5 and a counterexample when one differs");
  verify->add_option("--pair", verification.pairs, "SRC:DST,SRC:DST; can be given several times; all pairs otherwise")
      ->type_name("PAIRS")
      ->check(command::comma_list("SRC:DST,SRC:DST,..."));
  verify
      ->add_option("--level", verification.level,
                   "quick: classes of source values; exhaustive: every value of sources up to 32 bits; "
                   "smt: proofs for all values of wider sources, 64 bits included, by the program z3")
      ->type_name("LEVEL")
      ->check(terminal::one_of({"quick", "exhaustive", "smt"}))
      ->capture_default_str();
  verify->add_option("--timeout", verification.timeout_s, "Level smt: seconds for one plan")
      ->type_name("SECONDS")
      ->transform(terminal::number_from(1, 86400))
      ->default_str(std::to_string(command::kDefaultTimeout));
  verify
      ->add_option("--z3", verification.z3, "Level smt: the program z3; searched on PATH and beside a build otherwise")
      ->type_name("FILE");
  verify
      ->add_option("--record", verification.record,
                   "Level smt: a file of records. What it proves already is not proved again, and every proof is added "
                   "at once; records of programs that are no more go")
      ->type_name("FILE")
      ->check(terminal::file_path());
  with_json(verify);
  with_places(verify, false);

  std::string a, b, pair;
  auto* diff = app.add_subcommand("diff", "Exact source ranges on which two op-sets differ, with both results");
  diff->add_option("OPSET_A", a, "An op-set, for example onnx@21")->required()->type_name("OPSET");
  diff->add_option("OPSET_B", b, "Another op-set, for example onnx@24")->required()->type_name("OPSET");
  diff->add_option("--pair", pair, "SRC:DST; all common pairs otherwise")->type_name("PAIR");
  std::size_t shown_ranges = 8;
  diff->add_option("--ranges", shown_ranges, "How many ranges of a pair to show at most, the last one among them")
      ->type_name("N")
      ->capture_default_str()
      ->transform(terminal::number_from(1, 10'000));
  with_json(diff);
  with_places(diff, false);

  command::NewType type;
  const bool in_source_tree = std::filesystem::exists(shipped.front().parent_path() / "generator");
  type.out = in_source_tree ? shipped.front() / "types" : std::filesystem::path(".");
  type.known = shipped;
  bool is_unsigned = false;
  auto* new_type = app.add_subcommand("new-type", "Write a spec to start from");
  new_type->add_option("NAME", type.name, "Lower-case name, for example float8e3m4")->required()->type_name("NAME");
  new_type->add_option("--bits", type.bits, "Width of one code: sign, exponent and fraction bits together")
      ->required()
      ->type_name("N")
      ->transform(terminal::number_from(2, 64));
  new_type->add_option("--exponent", type.exponent, "Exponent bits")
      ->required()
      ->type_name("N")
      ->transform(terminal::number_from(1, 11));
  new_type->add_option("--mantissa", type.mantissa, "Fraction bits (without the hidden one)")
      ->required()
      ->type_name("N")
      ->transform(terminal::number_from(0, 52));
  new_type
      ->add_option(
          "--storage", type.storage,
          "Bits of memory that an element takes. Default: --bits itself, dense, below 8; else the next of 8, 16, "
          "32, 64")
      ->type_name("N")
      ->transform(terminal::number_from(2, 64));
  new_type->add_option("--bias", type.bias, "Exponent bias; 2^(exponent bits - 1) - 1 otherwise")
      ->type_name("N")
      ->transform(terminal::number_from(-1022, 1075));
  new_type->add_option("--nan", type.nan, "Which codes are NaN")
      ->type_name("CODES")
      ->check(terminal::one_of({"top", "ieee", "negative_zero", "none"}))
      ->capture_default_str();
  new_type
      ->add_option("--id", type.id,
                   "Number of the type, the value of its enumerator; the first free one from 1000 on otherwise")
      ->type_name("N")
      ->transform(terminal::number_from(0, 32767));
  new_type->add_flag("--infinity", type.infinity, "The format has an infinity (implied by --nan ieee)");
  new_type->add_flag("--unsigned", is_unsigned, "The format has no sign bit");
  new_type
      ->add_option(
          "--out", type.out,
          "Folder of the new file; otherwise specs/types/ of the source tree, or of an installed program where "
          "you are")
      ->type_name("FOLDER")
      ->check(terminal::folder_path());
  with_json(new_type);

  terminal::add_self_commands({app, CASTFORGE_VERSION, [&shipped] { return value_words(shipped); },
                               [](const std::string& path, const std::string& text) { cli::write_file(path, text); }});
  terminal::refuse_empty_values(app);

  const auto refuse = [&](const CLI::ParseError& error) {
    const std::string complaint = terminal::complaint(app, argc, argv, error.what());
    std::fprintf(stderr, "castforge-gen: %s\n", cli::printable_lines(complaint).c_str());
    return command::kUsage;
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return refuse(error);
  } catch (const cli::Failure&) {
    // A path is looked for before unknown words are complained of, and may have been meant as the value of one.
    if (app.remaining_size(true) == 0) throw;
    return refuse(CLI::ExtrasError(app.remaining(true)));
  }
  for (std::vector<std::string>* lists :
       {&places.opsets, &request.pairs, &copied.pairs, &copied.sets, &verification.pairs})
    command::take_apart(*lists);
  places.specs = command::merged_specs(shipped, added);
  places.library = command::whole_specs(shipped, added);
  type.is_signed = !is_unsigned;
  type.json = request.json = query.json = verification.json = json;

  if (*generate) return command::generate(places, json);
  if (*check && !manifest.empty()) return command::check_manifest(places, manifest, json);
  if (*check) return command::check(places, json);
  if (*list) return command::list(places, what, json);
  if (*tables) return command::tables(places, request);
  copied.specs = specs_as_named;
  if (*amalgamate) return command::amalgamate(places, copied);
  if (*audit) return command::audit(places, report);
  if (!element.empty()) query.element = command::element_bits(element);
  if (*explain) return command::explain(places, query);
  if (*verify) return command::verify(places, verification);
  if (*diff) return command::diff(places, a, b, pair, shown_ranges, json);
  if (*new_type) return command::new_type(type);
  return command::kOk;  // completion, manual: done
}

}  // namespace

int main(int argc, char** argv) {
  if (!castforge::cli::reserve_standard_descriptors()) return castforge::command::kInputOutput;
  // A file that may grow no further is an error to report, not to die of.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int result = run(argc, argv);
    if (castforge::cli::flush_standard_output() || result != castforge::command::kOk) return result;
    complain("error:", "standard output: cannot write");
    return castforge::command::kInputOutput;
  } catch (const castforge::spec::SpecError& error) {
    std::fprintf(stderr, "%s\n", castforge::cli::printable_lines(error.what()).c_str());
    return castforge::command::kSpecError;
  } catch (const castforge::command::VerificationFailed& failed) {
    complain("verification failed:", failed.message.c_str());
    return castforge::command::kVerificationFailed;
  } catch (const castforge::tabulate::NoConversion& error) {
    complain("error:", error.what());
    return castforge::command::kSpecError;
  } catch (const castforge::tabulate::WrongTable& error) {
    complain("verification failed:", error.what());
    return castforge::command::kVerificationFailed;
  } catch (const castforge::driver::NoPlan& error) {
    complain("verification failed:", error.what());
    return castforge::command::kVerificationFailed;
  } catch (const castforge::cli::Failure& failure) {
    complain("error:", failure.what());
    return static_cast<int>(failure.code());
  } catch (const std::filesystem::filesystem_error& error) {
    complain("error:", castforge::cli::io_error(error.path1().string(), "cannot read", error.code().value()).what());
    return castforge::command::kInputOutput;
  } catch (const std::invalid_argument& error) {
    complain("error:", error.what());
    return castforge::command::kUsage;
  } catch (const std::logic_error& error) {
    complain("internal error, please report it with the specs:", error.what());
    return castforge::command::kVerificationFailed;
  } catch (const std::exception& error) {
    complain("error:", error.what());
    return castforge::command::kInputOutput;
  }
}
