/* A program in C that records: compiled with gcc -std=c11 and run by c_abi_test.cpp, which reads the two files it writes. */
#include <heddle/record_c.h>
#include <stdio.h>

int main(void) {
  heddle_recorder* recorder = heddle_recorder_new();
  if (recorder == NULL) return 1;

  heddle_value key = heddle_text("x"), three = heddle_integer(3);
  heddle_operation* write = heddle_invoke(recorder, 0, "write", &key, &three);
  heddle_operation* read = heddle_invoke(recorder, 1, "read", &key, NULL);
  heddle_ok(write, NULL);
  heddle_ok(read, &three);

  heddle_value pair[2];
  pair[0] = heddle_integer(3);
  pair[1] = heddle_list(pair, 1);
  heddle_value change = heddle_list(pair, 2), yes = heddle_boolean(2);
  heddle_ok(heddle_invoke(recorder, 0, "cas", &key, &change), &yes);

  heddle_fail(heddle_invoke(recorder, 0, "write", &key, &three));
  heddle_unknown(heddle_invoke(recorder, 0, "write", &key, &three));
  heddle_value nil = heddle_nil();
  heddle_invoke(recorder, 0, "lock", NULL, &nil); /* never completed */

  heddle_value nine = heddle_integer(9);
  heddle_transaction* transaction = heddle_begin(recorder, 1);
  if (heddle_append(transaction, &key, &nine) != 0 || heddle_read(transaction, &nine, NULL) != 0 ||
      heddle_read(transaction, &key, &pair[1]) != 0)
    return 1;
  heddle_committed(transaction);
  transaction = heddle_begin(recorder, 1);
  if (heddle_write(transaction, &key, &nine) != 0) return 1;
  heddle_aborted(transaction);
  heddle_unknown_outcome(heddle_begin(recorder, 1));
  if (heddle_append(NULL, &key, &nine) != -1) return 1;
  heddle_committed(NULL);

  if (heddle_recorder_save(recorder, "c.edn") != 0 || heddle_recorder_save(recorder, "c.jsonl") != 0) {
    puts(heddle_recorder_error(recorder));
    return 1;
  }
  if (heddle_recorder_save(recorder, "c.txt") == 0) return 1;
  puts(heddle_recorder_error(recorder));
  heddle_ok(NULL, NULL);
  heddle_recorder_free(recorder);
  return 0;
}
