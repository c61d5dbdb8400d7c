// Records the clients of an embedded SQLite, each with a connection of its own to one file. run.sh starts this program
// and the check.
//
// A list is a text in a row of its own. --broken makes the client wrong in one of two ways that are found in programs:
//   reads-outside   transactions are those of SQLite, but reads go through another connection
//   lost-update     there are no transactions: who appends writes back what it has read before, with one element more
#include <sqlite3.h>

#include <map>
#include <sstream>

#include "transactions.h"

namespace {

class Connection {
 public:
  explicit Connection(const std::string& file) {
    sqlite3* database = nullptr;
    const int status = sqlite3_open(file.c_str(), &database);
    database_.reset(database);
    if (status != SQLITE_OK) throw std::runtime_error("cannot open " + file);
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = OFF");
  }

  // How long it waits for a lock before the transaction is given up.
  void set_patience(int milliseconds) { sqlite3_busy_timeout(database_.get(), milliseconds); }

  // Returns the first column of the first row, if there is one.
  std::optional<std::string> run(const std::string& statement, const std::vector<std::string>& values = {}) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(database_.get(), statement.c_str(), -1, &prepared, nullptr) != SQLITE_OK) fail();
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(prepared, sqlite3_finalize);
    for (std::size_t i = 0; i < values.size(); ++i)
      sqlite3_bind_text(prepared, static_cast<int>(i) + 1, values[i].c_str(), -1, SQLITE_TRANSIENT);
    std::optional<std::string> first;
    for (;;) {
      const int status = sqlite3_step(prepared);
      if (status == SQLITE_DONE) return first;
      if (status != SQLITE_ROW) fail();
      const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(prepared, 0));
      if (!first) first = text == nullptr ? "" : text;
    }
  }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close(database); }
  };

  // Nothing is committed by a statement that fails, not even by COMMIT.
  [[noreturn]] void fail() const {
    const int code = sqlite3_errcode(database_.get());
    const std::string text = sqlite3_errmsg(database_.get());
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED) throw example::Aborted(text);
    throw std::runtime_error(text);
  }

  std::unique_ptr<sqlite3, Close> database_;
};

class SqliteSession {
 public:
  explicit SqliteSession(const example::Options& options)
      : has_transactions_(options.broken != "lost-update"), connection_(options.where) {
    if (options.broken == "reads-outside") outside_.emplace(options.where);
    if (!options.broken.empty() && options.broken != "reads-outside" && options.broken != "lost-update")
      throw std::runtime_error("--broken is reads-outside or lost-update");
    // The sessions of a script take turns: one that waited for another would wait in vain. Statements without
    // transactions hold no lock while others have their turn.
    constexpr int turns = 200, no_turns = 20'000;
    connection_.set_patience(has_transactions_ ? turns : no_turns);
  }

  static void create(const example::Options& options, const std::vector<std::string>& keys) {
    Connection connection(options.where);
    connection.run("CREATE TABLE lists (key TEXT PRIMARY KEY, elements TEXT NOT NULL DEFAULT '')");
    connection.run("BEGIN");
    for (const std::string& key : keys) connection.run("INSERT INTO lists (key) VALUES (?1)", {key});
    connection.run("COMMIT");
  }

  void begin() {
    known_.clear();
    if (has_transactions_) connection_.run("BEGIN");
  }
  void append(const std::string& key, std::int64_t element) {
    const std::string more = std::to_string(element) + " ";
    if (has_transactions_) {
      connection_.run("UPDATE lists SET elements = elements || ?2 WHERE key = ?1", {key, more});
      return;
    }
    if (known_.count(key) == 0) read(key);
    known_[key] += more;
    connection_.run("UPDATE lists SET elements = ?2 WHERE key = ?1", {key, known_[key]});
  }
  std::vector<std::int64_t> read(const std::string& key) {
    Connection& reads = outside_ ? *outside_ : connection_;
    const auto text = reads.run("SELECT elements FROM lists WHERE key = ?1", {key});
    if (!text) throw std::runtime_error("no list " + key);
    known_[key] = *text;
    std::istringstream words(*text);
    std::vector<std::int64_t> elements;
    for (std::int64_t element = 0; words >> element;) elements.push_back(element);
    return elements;
  }
  void commit() {
    if (has_transactions_) connection_.run("COMMIT");
  }
  void rollback() {
    if (!has_transactions_) return;
    try {
      connection_.run("ROLLBACK");
    } catch (const std::exception&) {  // SQLite has done that already
      return;
    }
  }

 private:
  const bool has_transactions_;
  Connection connection_;
  std::optional<Connection> outside_;
  std::map<std::string, std::string> known_;  // lists as they were read
};

}  // namespace

int main(int argc, char** argv) { return example::transactions<SqliteSession>(argc, argv); }
