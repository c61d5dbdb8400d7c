// Writes a result file whole or not at all.
//
// A trace may be the outcome of a day's search. A full disk or a crash in the middle of writing must neither leave half
// of it under its final name nor damage yesterday's file. The text goes to a temporary file beside the target,
// reaches the disk, and is then renamed. Symbolic links are followed; devices and pipes (/dev/stdout) are written to
// directly, since renaming over them would replace them.
// Thread-safe for different paths; for the same path the last rename wins.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

// Throws ReportError with the path and the system's reason, after removing the temporary file.
void write_file_atomically(const std::string& path, std::string_view text);

}  // namespace heddle::report
