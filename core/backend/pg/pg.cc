// The backend "pg": a table in a PostgreSQL database, with a row for each workspace.
#include <fmt/format.h>

#include "core/backend/arguments.h"
#include "core/backend/backend.h"
#include "core/backend/concurrent.h"
#include "core/backend/pg/place.h"
#include "core/backend/server.h"

namespace xplan::backend {
namespace {

constexpr Argument kPgArguments[] = {
    {"conn_str", Type::string, "PG_CONN_STR", {}, true},
    {"schema_name", Type::string, "PG_SCHEMA_NAME", "terraform_remote_state"},
    {"skip_schema_creation", Type::boolean, "PG_SKIP_SCHEMA_CREATION"},
    {"skip_table_creation", Type::boolean, "PG_SKIP_TABLE_CREATION"},
    {"skip_index_creation", Type::boolean, "PG_SKIP_INDEX_CREATION"},
    {"table_name", Type::string, "PG_TABLE_NAME", "states"},
    {"index_name", Type::string, "PG_INDEX_NAME", "states_by_name"},
};
constexpr std::string_view kPgAdditions[] = {"table_name", "index_name"};

class PgServer : public Server {
 public:
  explicit PgServer(PgSettings settings) : d_(std::make_shared<PgDatabase>(std::move(settings))) {}
  std::unique_ptr<Place> place(const std::string& workspace) const override {
    return pg_place(d_, workspace);
  }
  Result<std::vector<std::string>> workspaces() const override;
  Result<void> remove(const std::string& workspace) const override;
  bool lock_outlives_state() const override { return true; }  // that of its session
  bool creates_one_at_a_time() const override { return true; }

 private:
  const std::shared_ptr<PgDatabase> d_;
};

Result<std::vector<std::string>> PgServer::workspaces() const {
  std::lock_guard guard(d_->mutex);
  const PgReply r = d_->run({"SELECT name FROM " + d_->states() + " WHERE name != 'default' ORDER BY name",
                             {},
                             d_->settings().stop});
  if (!r.ok()) return d_->problem("list the workspaces", r);
  std::vector<std::string> out;
  for (size_t i = 0; i < r.rows.size(); ++i) out.push_back(r.text(i, 0));
  return out;
}

Result<void> PgServer::remove(const std::string& workspace) const {
  const std::unique_ptr<Place> p = place(workspace);
  if (Result<void> gone = remove_all_segments(*p); !gone) return gone;
  std::lock_guard guard(d_->mutex);
  const PgReply r = d_->run({"DELETE FROM " + d_->states() + " WHERE name = $1", {workspace}});
  return r.ok() ? Result<void>() : d_->problem(fmt::format("delete the workspace \"{}\"", workspace), r);
}

const schema::Block& pg_schema() {
  static const schema::Block block = schema_of(kPgArguments);
  return block;
}

Result<std::unique_ptr<Backend>> open_pg(const Value& settings, const Opening& opening) {
  const Arguments a(kPgArguments, settings);
  PgSettings out;
  const std::pair<std::string_view, bool&> flags[] = {{"skip_schema_creation", out.skip_schema},
                                                      {"skip_table_creation", out.skip_table},
                                                      {"skip_index_creation", out.skip_index}};
  for (const auto& [name, to] : flags) {
    const Result<bool> flag = a.flag(name);
    if (!flag) return flag.error();
    to = *flag;
  }
  Result<PgAddress> address = parse_pg_address(a.text("conn_str"));
  if (!address) return address.error();
  out.address = std::move(*address);
  out.schema = a.text("schema_name");
  out.table = a.text("table_name"), out.index = a.text("index_name");
  out.stop = opening.stop;
  return remote_backend(std::make_unique<PgServer>(std::move(out)), opening);
}

}  // namespace

constinit const Kind kPg{"pg", pg_schema, open_pg, true, kPgAdditions};

}  // namespace xplan::backend
