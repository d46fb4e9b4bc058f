// Journals of a state in one of two places: where this run writes its own, and where another run may have
// left one, which was told to write it elsewhere (-remote-journal).
#include <utility>

#include "core/state/journal_home.h"

namespace xplan {
namespace {

class EitherJournals : public JournalHome {
 public:
  EitherJournals(std::unique_ptr<JournalHome> own, std::unique_ptr<JournalHome> other)
      : own_(std::move(own)), other_(std::move(other)) {}
  std::string name() const override { return found_->name(); }
  std::string key() const override { return found_->key(); }
  Result<std::optional<Left>> find(bool locked) override {
    found_ = own_.get();
    Result<std::optional<Left>> elsewhere = other_->find(locked);
    if (!elsewhere) return elsewhere;
    if (!*elsewhere) return own_->find(locked);
    found_ = other_.get();
    return elsewhere;
  }
  Result<void> remove() override {
    Result<void> ok = found_->remove();
    if (ok) found_ = own_.get();
    return ok;
  }
  Result<bool> keep(const JournalBase& base, const std::vector<JournalRecord>& intents) override {
    return found_->keep(base, intents);
  }
  Result<void> commit(const JournalCommit& c) override { return found_->commit(c); }
  Result<void> possible() const override { return own_->possible(); }
  Result<std::shared_ptr<JournalWriter>> create(const JournalBase& base, const TypeSource& types,
                                                bool locked) override {
    found_ = own_.get();
    return own_->create(base, types, locked);
  }

 private:
  const std::unique_ptr<JournalHome> own_, other_;
  JournalHome* found_ = own_.get();  // where the journal is that others than create() are about
};

}  // namespace

std::unique_ptr<JournalHome> journal_in_either(std::unique_ptr<JournalHome> own,
                                               std::unique_ptr<JournalHome> other) {
  return std::make_unique<EitherJournals>(std::move(own), std::move(other));
}

}  // namespace xplan
