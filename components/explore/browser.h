// Opens an address in the user's browser.
//
// Every user of the machine can read the words that a program was started with, so the address, which has the token, is
// not among them. The browser gets a file that only this user can read and that leads to the address.
#pragma once

#include <string>

namespace heddle::explorer {

// Returns an empty text, or why no browser could be opened, a phrase.
std::string open_browser(const std::string& url);

}  // namespace heddle::explorer
