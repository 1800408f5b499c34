#!/usr/bin/env bash
# Makes a checkpoint of four shards out of random bits, converts it, verifies it, kills and resumes the conversion, and
# compares the results.
#
#   try.sh [PROGRAM [MIB [KILLS [SEED]]]]      the program castforge; 1024 MiB in all; 5 kills; seed 1
#
# Works in a folder of its own below TMPDIR, which is removed at the end. Says what takes how long. Exit 0: all is well.
set -euo pipefail
program=${1:-castforge} mib=${2:-1024} kills=${3:-5} seed=${4:-1}
program=$(realpath "$(command -v "$program")") || { echo "no program $1" >&2; exit 2; }
plan=$(cd "$(dirname "$0")" && pwd)/plans/bf16-to-fp8.json
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
RANDOM=$seed

say() { printf '\n== %s\n' "$*"; }
little_endian() { # 8 bytes
  local value=$1 out="" i
  for ((i = 0; i < 8; i++, value >>= 8)); do out+=$(printf '\\x%02x' $((value & 255))); done
  printf '%b' "$out"
}

# shard NAME ROWS FIRST_LAYER: an embedding or output layer that is kept, and three layers of a matrix and a norm
columns=1024
names=()
shard() {
  local name=$1 rows=$2 first=$3 at=0 header="" bytes layer entry
  entry() { # NAME SHAPE ELEMENTS
    bytes=$((2 * $3))
    header+="${header:+,}\"$1\":{\"dtype\":\"BF16\",\"shape\":[$2],\"data_offsets\":[$at,$((at + bytes))]}"
    at=$((at + bytes))
    names+=("\"$1\": \"$name\"")
  }
  for ((layer = first; layer < first + 3; layer++)); do
    entry "model.layers.$layer.mlp.weight" "$rows,$columns" $((rows * columns))
    entry "model.layers.$layer.norm.weight" $columns $columns
  done
  entry "model.embed_$first.weight" "64,$columns" $((64 * columns))
  header="{$header}"
  while (((${#header} + 8) % 8)); do header+=" "; done
  { little_endian ${#header}; printf '%s' "$header"; head -c $at /dev/urandom; } > "in/$name"
}

say "making $mib MiB in four shards"
mkdir in
rows=$((mib * 1048576 / 4 / 3 / 2 / columns))
for i in 1 2 3 4; do shard "model-0000$i-of-00004.safetensors" $rows $((3 * i)); done
{ printf '{"metadata": {"total_size": 0}, "weight_map": {'; (IFS=,; printf '%s' "${names[*]}"); printf '}}'; } \
  > in/model.safetensors.index.json
echo '{"model_type": "none"}' > in/config.json
du -sh in

say "what would be done"
"$program" convert in out --plan "$plan" --dry-run | tail -n 4

say "cp of the input, and the conversion on two threads"
time cp -r in copy
rm -r copy
started=${EPOCHREALTIME//[!0-9]/}  # microseconds
time "$program" convert in undisturbed --plan "$plan" --threads 2
duration=$((${EPOCHREALTIME//[!0-9]/} - started))

say "the same again, verified: read back and computed with another instruction set"
time "$program" convert in undisturbed --plan "$plan" --threads 2 --verify

say "killed $kills times"
for ((i = 0; i < kills; i++)); do
  "$program" convert in disturbed --plan "$plan" --threads 2 > /dev/null &
  moment=$(((RANDOM * 32768 + RANDOM) % duration))  # while it works, however slow the machine
  sleep "$((moment / 1000000)).$(printf '%06d' $((moment % 1000000)))"
  kill -9 $! 2> /dev/null || true
  wait $! 2> /dev/null || true
done
mkdir -p disturbed  # where every one was killed before it wrote anything
find disturbed -name '.*.tmp' | sed 's/^/left behind: /'
"$program" convert in disturbed --plan "$plan" --threads 2
diff -r undisturbed disturbed
! find disturbed -name '.*.tmp' | grep .
say "the same bytes as without kills"
