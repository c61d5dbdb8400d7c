// The words that options take and the enum values that they stand for. Parsing uses these tables, and so does a run
// that speaks of itself (the search and the store in its JSON, the command that repeats it). So no word is spelled
// twice.
#pragma once

#include "actor/actor_system.h"
#include "check/check_history.h"
#include "cli/option.h"
#include "explore/search.h"
#include "history/read_history.h"
#include "reduce/stubborn_selector.h"

namespace heddle::cli {

const Values<SearchOptions::Order>& search_orders();           // --search
const Values<SearchOptions::Order>& search_descriptions();     // --search, in the JSON of a run
const Values<SearchOptions::Dpor>& dpor_algorithms();          // --dpor
const Values<SearchOptions::Store>& search_stores();           // --store, and in the JSON of a run
const Values<Split>& split_kinds();                            // --split
const Values<StubbornOptions::Start>& stubborn_starts();       // --por-start
const Values<history::FailedCas>& failed_cas_meanings();       // --failed-cas
const Values<HistoryCheckOptions::Method>& history_methods();  // --method, and in the JSON of a run

}  // namespace heddle::cli
