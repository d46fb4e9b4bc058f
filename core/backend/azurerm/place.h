// The place of one state in a container.
//
// Who calls it: server.cc. Contract: that of Place. Segments of journals are the blobs KEY.journal/NAME. A
// version is the ETag and the sum of the content: a lock changes the ETag, but not the content. Other
// metadata of the blob stays as it is. Cost: as Place says.  Thread-safety: as Place says.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "core/backend/azurerm/client.h"
#include "core/state/place.h"

namespace xplan::backend::azurerm {

std::unique_ptr<Place> make_place(std::shared_ptr<AzurermClient> client, const std::string& key);
// Removes its journal; and what removes the blob, which is leased until then, if it still has what it has
// now.
Result<std::function<Result<void>()>> remove_locked_place(const std::shared_ptr<AzurermClient>& client,
                                                          const std::string& key);
// With what is left of a journal.
Result<void> remove_place(const std::shared_ptr<AzurermClient>& client, const std::string& key);

}  // namespace xplan::backend::azurerm
