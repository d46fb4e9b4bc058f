// GcsClient: objects of a bucket, as the backend "gcs" uses them.
//
// Who calls it: place.cc, locks.cc and server.cc.
// Contract: an error is a phrase that names the object. A generation is digits: what the service compares
// before it writes or deletes. What is read has the sums that the service gives for it. Contents of states
// have the settings' key; locks, which other tools read without it, have not. What `stop` is given to ends
// when it is set; the rest (whatever ends a run: the last write, the release of locks) does not.  Cost: one
// request each, and one more where an answer was lost. Thread-safety: any thread.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/backend/gcs/settings.h"
#include "core/base/document.h"
#include "core/cloud/google_client.h"

namespace xplan::backend::gcs {

struct GcsObject {
  std::string bytes, generation;
};

struct GcsPut {
  bool conflict = false;
  std::string generation;
};

enum class GcsKey : uint8_t { Ours, None };
enum class GcsRemoved : uint8_t { Yes, Missing, Conflict };
inline constexpr const char* kAbsent = "0";  // the generation of what does not exist

class GcsClient {
 public:
  GcsClient(GcsSettings settings, Stop stop);
  const GcsSettings& settings() const { return settings_; }
  Stop stop() const { return stop_; }
  net::Ending late() const { return {stop_, net::kLastAnswer}; }  // of what asks for a lock
  std::string shown(const std::string& name) const { return "gs://" + settings_.bucket + "/" + name; }

  Result<std::optional<GcsObject>> get(const std::string& name, GcsKey key, net::Ending stop = nullptr,
                                       std::atomic<int64_t>* left = nullptr, Arrival* arrival = nullptr);
  Result<std::optional<std::string>> generation(const std::string& name, net::Ending stop = nullptr);
  // In bytes, as far as a look shows; 0: it shows none, or the object cannot be looked at.
  uint64_t size(const std::string& name, Stop stop);
  // `over`: only over this generation; nothing: over anything.
  Result<GcsPut> put(const std::string& name, std::string_view bytes, GcsKey key,
                     const std::optional<std::string>& over, net::Ending stop = nullptr);
  // Nothing as generation: any.
  Result<GcsRemoved> remove(const std::string& name, const std::optional<std::string>& generation = {},
                            net::Ending stop = nullptr);
  // The names right below a prefix, which ends in a slash or is empty.
  Result<std::vector<std::string>> list(const std::string& prefix, net::Ending stop = nullptr);

 private:
  static bool bucket_missing(const net::Answer& a);
  std::string object_url(const std::string& name) const;
  void add_key(net::Request& r, GcsKey key) const;
  net::Request upload(const std::string& name, std::string_view bytes, GcsKey key,
                      const std::optional<std::string>& over) const;
  Result<Json> metadata(const std::string& name, GcsKey key, net::Ending stop, bool& missing);
  Result<net::Answer> send(net::Request r, net::Ending stop);
  Error failed(const std::string& what, const std::string& name, const Result<net::Answer>& a,
               net::Ending stop = nullptr) const;

  GcsSettings settings_;
  const Stop stop_;
  cloud::GoogleClient client_;
};

}  // namespace xplan::backend::gcs
