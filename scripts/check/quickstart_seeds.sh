#!/usr/bin/env bash
# Takes the quickstart once for each of several seeds, each on two cores of its own, and prints what it scored and how long it took.
#
#   bash scripts/check/quickstart_seeds.sh [FINERY [SEEDS [AT_ONCE [OPTION...]]]]
#
# FINERY is the command (target/release/finery), SEEDS how many seeds from 0 on (10), AT_ONCE how many run at a time (as many as there are
# pairs of cores); options such as --examples DIR go to the quickstart. XLA_FLAGS=--xla_cpu_max_isa=AVX2, or SSE4_2, gives the rounding of processors with shorter vectors. The CPU's plugin
# must be installed. Fails if a seed stays below 97 %, or if the quickstart fails with it: other limits are its own.
set -euo pipefail

finery=$(realpath "${1:-target/release/finery}")
seeds=${2:-10}
# The processors that this process may use.
cores=($(awk '/^Cpus_allowed_list/ {
    count = split($2, ranges, ",")
    for (i = 1; i <= count; i++) { split(ranges[i], ends, "-"); for (c = ends[1]; c <= (ends[2] == "" ? ends[1] : ends[2]); c++) print c }
}' /proc/self/status))
at_once=${3:-$(((${#cores[@]} + 1) / 2))}
options=("${@:4}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/quickstart-seeds.XXXXXX")

# take SEED SLOT: the tour, on the slot's pair of cores where the machine has it.
take() {
    local seed=$1 pair=("${cores[@]:2 * $2:2}") pin=()
    if command -v taskset >/dev/null && [ ${#pair[@]} -eq 2 ]; then pin=(taskset -c "${pair[0]},${pair[1]}"); fi
    local status=0
    "${pin[@]}" "$finery" quickstart --device cpu --offline --seed "$seed" --dir "$folder/$seed" \
        "${options[@]}" >"$folder/$seed.log" 2>&1 || status=$?
    awk -v seed="$seed" -v status="$status" '
        function seconds(clock,    part) { sub(/s$/, "", clock); n = split(clock, part, ":"); return n == 2 ? 60 * part[1] + part[2] : clock }
        / in all$/ { all = seconds($1) }
        /^ .*Train a small Llama/ { pretrain = seconds($1) }
        /^ .*Fine-tune it with LoRA/ { tune = seconds($1) }
        /exact match before/ { before = $(NF - 2) " of " $NF }
        /exact match after/ { after = $(NF - 2) " of " $NF }
        END { printf "| %d | %s | %s | %d | %d | %d | %d |\n", seed, before, after, pretrain, tune, all, status }
    ' "$folder/$seed.log" >"$folder/$seed.row"
}

for slot in $(seq 0 $((at_once - 1))); do
    for ((seed = slot; seed < seeds; seed += at_once)); do take "$seed" "$slot"; done &
done
wait

echo "$(grep -m1 "model name" /proc/cpuinfo | cut -d: -f2 | xargs), two cores each, $at_once at a time, XLA_FLAGS=${XLA_FLAGS:-} ${options[*]}"
echo
echo "| seed | before | after | pre-training s | LoRA s | in all s | exit status |"
echo "|---|---|---|---|---|---|---|"
for ((seed = 0; seed < seeds; seed++)); do cat "$folder/$seed.row"; done
echo
echo "logs and models: $folder"
cat "$folder"/*.row | awk -F'|' '{ split($4, score, " "); if (score[3] == 0 || score[1] < 0.97 * score[3] || $8 + 0 != 0) bad = 1 } END { exit bad }'
