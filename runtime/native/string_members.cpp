// Before C++20 the members of std::string are only declared by the headers: here they are.
#include <string>

template class std::basic_string<char>;
