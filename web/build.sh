#!/usr/bin/env bash
# Makes the page of reports, in a folder of the build tree: nothing is written beside the sources.
#
#   web/build.sh FOLDER page PAGE     installs what the bundler needs from the npm registry, and writes the page
#   web/build.sh FOLDER tests         installs what the tests need, too; checks the types and bundles the tests
#
# A line that begins with "heddle-remedy:" tells the caller what to do (scripts/setup.sh).
set -euo pipefail

web=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
folder=$1 what=$2
mkdir -p "$folder"
rm -rf "$folder/src" "$folder/test"
cp -r "$web/src" "$web/test" "$folder/"
cp "$web"/*.json "$web"/*.mjs "$web/.npmrc" "$folder/"
cd "$folder"

# install <set> [<option>...]: npm ci unless that has been done for this lock file. The tests' packages include those
# of the page.
install() {
  local set=$1 done=.installed-$1
  shift
  if cmp -s package-lock.json "$done"; then return; fi
  if [[ $set == page ]] && cmp -s package-lock.json .installed-tests; then return; fi
  rm -f .installed-page .installed-tests
  if ! npm ci --no-progress --ignore-scripts --fetch-retries=1 "$@"; then
    echo "heddle-remedy: npm could not install what web/package-lock.json lists; check that its registry" \
      "(npm config get registry) can be reached, and run again"
    exit 1
  fi
  cp package-lock.json "$done"
}

case $what in
  page)
    install page --omit=dev
    node bundle.mjs page "$3"
    ;;
  tests)
    install tests
    node_modules/.bin/tsc --project .
    node bundle.mjs tests
    ;;
esac
