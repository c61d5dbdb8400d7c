/* The recorder of heddle/record.h for C, and through C for every language that can call it: link with -lheddle_record.
 *
 *   heddle_recorder* recorder = heddle_recorder_new();
 *   heddle_value key = heddle_text("x"), value = heddle_integer(3);
 *   heddle_operation* op = heddle_invoke(recorder, client, "write", &key, &value);
 *   ... the call under test ...
 *   heddle_ok(op, NULL);                                    // or heddle_fail(op), heddle_unknown(op)
 *   if (heddle_recorder_save(recorder, "history.edn") != 0) puts(heddle_recorder_error(recorder));
 *   heddle_recorder_free(recorder);
 *
 *   heddle_transaction* transaction = heddle_begin(recorder, client);
 *   heddle_append(transaction, &key, &value);               // before the statement; or heddle_write
 *   heddle_read(transaction, &key, &answer);                // after it
 *   heddle_committed(transaction);                          // or heddle_aborted, heddle_unknown_outcome
 *
 * Contracts are those of record.h. REQUIRES: every operation is completed at most once, before the recorder is freed.
 * An operation that is never completed stays open, which a checker treats like unknown. Values are copied before a
 * function returns. Thread-safe, except new and free. No function throws or ends the program. Where memory runs out,
 * heddle_recorder_new, heddle_invoke and heddle_begin return NULL; NULL is a valid operation, or transaction, of which
 * nothing is recorded. */
#ifndef HEDDLE_RECORD_C_H
#define HEDDLE_RECORD_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(modernize-use-using, readability-identifier-naming): C */
typedef struct heddle_recorder heddle_recorder;
typedef struct heddle_operation heddle_operation;
typedef struct heddle_transaction heddle_transaction;

enum { HEDDLE_NIL = 0, HEDDLE_BOOLEAN = 1, HEDDLE_INTEGER = 2, HEDDLE_TEXT = 3, HEDDLE_LIST = 4 };

typedef struct heddle_value {
  int32_t kind;
  int64_t integer;                  /* of an integer; of a boolean 0 or 1 */
  const char* text;                 /* of a text: `size` bytes; no zero is needed at their end */
  const struct heddle_value* items; /* of a list: `size` values */
  size_t size;
} heddle_value;
/* NOLINTEND(modernize-use-using, readability-identifier-naming) */

/* For callers that do not want to fill in the struct. */
heddle_value heddle_nil(void);
heddle_value heddle_boolean(int value);
heddle_value heddle_integer(int64_t value);
heddle_value heddle_text(const char* zero_terminated);
heddle_value heddle_list(const heddle_value* items, size_t size);

heddle_recorder* heddle_recorder_new(void);
void heddle_recorder_free(heddle_recorder* recorder);

/* key NULL: an object without a name, the only one there is. value NULL: nil. */
heddle_operation* heddle_invoke(heddle_recorder* recorder, uint32_t client, const char* function,
                                const heddle_value* key, const heddle_value* value);
/* result NULL: the result is the argument, as Jepsen writes it for writes. */
void heddle_ok(heddle_operation* operation, const heddle_value* result);
void heddle_fail(heddle_operation* operation);
void heddle_unknown(heddle_operation* operation);

/* Transactions, for `heddle serializable`. What a transaction does is recorded as it comes, by one thread at a time. A
 * function that cannot record returns -1, otherwise 0. A write that is not recorded must not be carried out, for
 * whoever reads it would have seen what nobody has written. */
heddle_transaction* heddle_begin(heddle_recorder* recorder, uint32_t client);
int heddle_append(heddle_transaction* transaction, const heddle_value* key, const heddle_value* element);
int heddle_write(heddle_transaction* transaction, const heddle_value* key, const heddle_value* value);
/* result NULL: nil, there is no value yet. */
int heddle_read(heddle_transaction* transaction, const heddle_value* key, const heddle_value* result);
void heddle_committed(heddle_transaction* transaction);
void heddle_aborted(heddle_transaction* transaction);
void heddle_unknown_outcome(heddle_transaction* transaction);

/* REQUIRES: the path ends in .edn or .jsonl. Returns 0; or -1, and heddle_recorder_error tells the same thread why. */
int heddle_recorder_save(const heddle_recorder* recorder, const char* path);
const char* heddle_recorder_error(const heddle_recorder* recorder);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#endif
