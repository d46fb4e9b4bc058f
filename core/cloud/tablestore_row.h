// Rows in TableStore's own form, "PlainBuffer": cells between tags, with sums over each and over the row.
//
// Who calls it: the backend oss.
// Contract: what comes from a server is hostile: what does not have the form, or not its sums, is nothing.
// Rows here have one column as their key and strings as values; other values are passed over. Cost: linear.
// Thread-safety: pure.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xplan::cloud::tablestore {

using Columns = std::vector<std::pair<std::string, std::string>>;  // names and values
// `deleted`: the row is one to delete.
std::string row_of(const Columns& key, const Columns& columns, bool deleted = false);
// Key and columns of the first row; none where there is no row.
std::optional<Columns> read_row(std::string_view bytes);
std::string value_of(std::string_view text);  // as conditions compare it

}  // namespace xplan::cloud::tablestore
