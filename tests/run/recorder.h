// A listener that writes down what it is told, in order, and a place for files.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "run/listener.h"

namespace heddle::run {

class Recorder final : public Listener {
 public:
  std::vector<std::string> events;

  void built(const Instance& instance) override { events.push_back("built " + instance.model); }
  void begins(const Instance& instance, const CheckResult&) override { events.push_back("begins " + instance.title()); }
  void searching(const CheckResult&) override { events.emplace_back("searching"); }
  void searched() override { events.emplace_back("searched"); }
  void says(const std::string& sentence) override { events.push_back("says " + sentence); }
  void judged(const CheckResult& result) override { events.push_back("judged " + std::string(name(result.verdict))); }
  void shows(const Violation& violation, std::size_t n, const CheckResult& result) override {
    events.push_back("shows " + std::to_string(n) + " " + violation.trace.property);
    EXPECT_EQ(result.violations.size(), n);
  }
  void shown(const CheckResult&) override { events.emplace_back("shown"); }
  void failed(const CheckResult&) override { events.emplace_back("failed"); }
};

// A directory that is gone afterwards; models that are compiled share a cache with those of other tests.
class InADirectory : public testing::Test {
 protected:
  InADirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "heddle-run-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "no temporary directory";
    home = name;
    ::setenv("XDG_CACHE_HOME", (std::filesystem::temp_directory_path() / "heddle-cli-test-cache").c_str(), 1);
  }
  ~InADirectory() override {
    std::error_code ignored;
    std::filesystem::remove_all(home, ignored);
  }
  std::string write(const std::string& file, const std::string& text) const {
    std::ofstream(home / file) << text;
    return (home / file).string();
  }

  std::filesystem::path home;
};

}  // namespace heddle::run
