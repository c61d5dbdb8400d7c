#!/usr/bin/env bash
# Checks that this commit can be released, and tags it. The version is the one in CMakeLists.txt; whoever releases sets it there and in
# CITATION.cff, and gives the changelog a section of that name. Nothing is pushed.
set -euo pipefail

root=$(readlink -f -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/..")

usage() {
  cat <<'USAGE'
usage: scripts/release.sh [--dry-run | --tested]

  (nothing)   all checks, then ./test from this tree, then the tag v<version> with the changelog's section as its text
  --dry-run   only the checks; says which tag would be made
  --tested    without ./test, which has passed for this commit already

Refused: uncommitted or untracked files, a version without a section of CHANGELOG.md, versions that differ between CMakeLists.txt
and CITATION.cff, a tag that exists, a version that is not above that of the last tag.
Exit code: 0 tagged, or ready; 1 refused; 3 wrong usage.
USAGE
}

refuse() {
  printf 'release: %s\n' "$*" >&2
  exit 1
}

dry='' tested=''
case ${1:-} in
  '') ;;
  --dry-run) dry=yes ;;
  --tested) tested=yes ;;
  --help | -h) usage && exit 0 ;;
  *) usage >&2 && exit 3 ;;
esac
if (($# > 1)); then usage >&2 && exit 3; fi

cd "$root"
git rev-parse --verify -q HEAD >/dev/null || refuse "this is not a git repository with a commit"
changed=$(git status --porcelain)
[[ -z $changed ]] || refuse "the tree is not clean; commit or remove:
$changed"

version=$(sed -n 's/^project(heddle VERSION \([0-9]*\.[0-9]*\.[0-9]*\) .*/\1/p' CMakeLists.txt)
[[ -n $version ]] || refuse "found no version in CMakeLists.txt: project(heddle VERSION x.y.z ...)"
cited=$(sed -n 's/^version: *//p' CITATION.cff)
[[ $cited == "$version" ]] || refuse "CITATION.cff says version '$cited', CMakeLists.txt $version"

# What stands between this version's heading and the next one.
notes=$(awk -v heading="## $version" '/^## / { inside = $0 == heading; next } inside' CHANGELOG.md)
[[ $notes == *[![:space:]]* ]] || refuse "CHANGELOG.md has no section '## $version' with something in it"

tag=v$version
if git rev-parse --verify -q "refs/tags/$tag" >/dev/null; then refuse "the tag $tag exists already; raise the version"; fi
last=$(git tag --list 'v[0-9]*.[0-9]*.[0-9]*' --sort=-version:refname | head -n 1)
if [[ -n $last && $(printf '%s\n%s\n' "$last" "$tag" | sort -V | tail -n 1) != "$tag" ]]; then
  refuse "version $version is not above $last, the last one released"
fi

if [[ -n $dry ]]; then
  echo "release: ready; the tag would be $tag on $(git rev-parse --short HEAD)"
  exit 0
fi
if [[ -z $tested ]]; then
  ./test || refuse "./test failed"
  [[ -z $(git status --porcelain) ]] || refuse "./test left files behind: $(git status --porcelain)"
fi
git tag --annotate "$tag" --cleanup=verbatim --message "Heddle $version
$notes"
echo "release: tagged $tag; publish it with: git push origin $tag"
