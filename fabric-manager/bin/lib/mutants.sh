# Sourced by run-tests. Runs pitest on the cores and sums up what it found.

# Modules with a core; each has a profile "mutate" that says what is mutated there.
mutated=(fabric-manager/daemon fabric-manager/switch-agent detector-ring detector-ring/proof)

# mutation_scores ARGUMENT...: arguments go to Maven; its status is ours. Tests are not run by themselves before: pitest does
# that, and ends with an error if one fails.
mutation_scores() {
  local status=0 module reports=()
  for module in "${mutated[@]}"; do
    rm -f "$module/target/pit-reports/mutations.csv"
  done
  "$mvn" verify "$@" -pl "$(IFS=, && printf '%s' "${mutated[*]}")" -am -Dlint.skip -Dmaven.test.skip.exec || status=$?
  for module in "${mutated[@]}"; do
    [[ ! -f $module/target/pit-reports/mutations.csv ]] || reports+=("$module/target/pit-reports")
  done
  ((${#reports[@]})) || exit "$status"
  printf '\n'
  mutation_table "${reports[@]/%//mutations.csv}"
  printf '\n'
  printf 'report: %s\n' "${reports[@]/%//index.html}"
  exit "$status"
}

# One line a package: a mutant counts as killed when a test fails, or takes far longer, or dies of it.
mutation_table() { # CSV...
  local form='%-28s %8s %8s %9s %12s %6s\n'
  printf "$form" package mutants killed survived "no coverage" score
  awk -F, '
    { sub(/\.[^.]*$/, "", $2); all[$2]++; $6 == "SURVIVED" ? survived[$2]++ : $6 == "NO_COVERAGE" ? none[$2]++ : killed[$2]++ }
    END { for (p in all) printf "%s %d %d %d %d %.1f%%\n", p, all[p], killed[p], survived[p], none[p], 100 * killed[p] / all[p] }
  ' "$@" | sort | while read -r -a row; do
    printf "$form" "${row[@]}"
  done
}
