// Members of std::ios that streams.cpp cannot define itself, because the headers do: they would ask for a locale.
#include "heddle_runtime.h"

char __heddle_widen(const void* stream, char character) __asm__("_ZNKSt9basic_iosIcSt11char_traitsIcEE5widenEc");
char __heddle_widen(const void* stream, char character) {
  (void)stream;
  return character;
}
void __heddle_clear(void* stream, int state) __asm__("_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate");
void __heddle_clear(void* stream, int state) {
  (void)stream;
  (void)state;
}
