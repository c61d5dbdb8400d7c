// Records the clients of a PostgreSQL server, which libpq finds by PGHOST and PGPORT. run.sh starts the server, this
// program and the check.
//
// A list is an array in a row of its own: what somebody appends meanwhile is appended to, or refused, as the isolation
// level has it.
#include <libpq-fe.h>

#include <cstdlib>

#include "transactions.h"

namespace {

class PostgresSession {
 public:
  explicit PostgresSession(const example::Options& options)
      : connection_(PQconnectdb(""), PQfinish), begin_("BEGIN ISOLATION LEVEL " + level(options.isolation)) {
    if (PQstatus(connection_.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_.get()));
    run("SET statement_timeout = '20s'");
  }

  static void create(const example::Options& options, const std::vector<std::string>& keys) {
    PostgresSession session(options);
    session.run("CREATE TABLE lists (key text PRIMARY KEY, elements bigint[] NOT NULL DEFAULT '{}')");
    session.run("BEGIN");
    for (const std::string& key : keys) session.run("INSERT INTO lists (key) VALUES ($1)", {key});
    session.run("COMMIT");
  }

  void begin() { run(begin_); }
  void append(const std::string& key, std::int64_t element) {
    run("UPDATE lists SET elements = elements || $2::bigint WHERE key = $1", {key, std::to_string(element)});
  }
  std::vector<std::int64_t> read(const std::string& key) {
    const Result result = run("SELECT elements FROM lists WHERE key = $1", {key});
    if (PQntuples(result.get()) != 1) throw std::runtime_error("no list " + key);
    std::vector<std::int64_t> elements;  // {1,2,3}
    const char* at = PQgetvalue(result.get(), 0, 0) + 1;
    while (*at != '}' && *at != '\0') {
      char* end = nullptr;
      elements.push_back(std::strtoll(at, &end, 10));
      at = *end == ',' ? end + 1 : end;
    }
    return elements;
  }
  // Of a transaction that has failed it answers ROLLBACK, and no error.
  void commit() {
    const Result result = run("COMMIT");
    if (std::string(PQcmdStatus(result.get())) != "COMMIT") throw example::Aborted("rolled back");
  }
  void rollback() {
    // After a COMMIT that was refused there is no transaction any more.
    if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE) PQclear(PQexec(connection_.get(), "ROLLBACK"));
  }

 private:
  using Result = std::unique_ptr<PGresult, void (*)(PGresult*)>;

  static std::string level(const std::string& isolation) {
    if (isolation == "read-committed") return "READ COMMITTED";
    if (isolation == "repeatable-read") return "REPEATABLE READ";
    if (isolation == "serializable") return "SERIALIZABLE";
    throw std::runtime_error("--isolation is read-committed, repeatable-read or serializable");
  }

  // An error that the server reports has ended the transaction; if the connection is gone, COMMIT may have arrived.
  Result run(const std::string& statement, const std::vector<std::string>& values = {}) {
    std::vector<const char*> texts;
    for (const std::string& value : values) texts.push_back(value.c_str());
    Result result(PQexecParams(connection_.get(), statement.c_str(), static_cast<int>(texts.size()), nullptr,
                               texts.data(), nullptr, nullptr, 0),
                  PQclear);
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return result;
    if (PQstatus(connection_.get()) != CONNECTION_OK) throw std::runtime_error(PQerrorMessage(connection_.get()));
    throw example::Aborted(PQerrorMessage(connection_.get()));
  }

  std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
  std::string begin_;
};

}  // namespace

int main(int argc, char** argv) { return example::transactions<PostgresSession>(argc, argv); }
