// Brings the names of core/hosts and core/net that installation uses into this namespace; default_methods():
// the installation methods of users who have configured none.
//
// Who calls it: whatever asks hosts for packages.
// Cost: default_methods() lists a few directories.  Thread-safety: as each of them says.
#pragma once
#include <vector>

#include "core/hosts/cli_config.h"
#include "core/hosts/discovery.h"
#include "core/hosts/document.h"
#include "core/hosts/http.h"
#include "core/hosts/once_map.h"

namespace xplan::install {

using hosts::CliConfig;
using hosts::Environment;
using hosts::Http;
using hosts::HttpAnswer;
using hosts::HttpRequest;
using hosts::InstallMethod;
using hosts::load_cli_config;
using hosts::OnceMap;
using hosts::Services;
using hosts::text_in;
using hosts::text_of;
using net::escape_path;
using net::host_and_port;
using net::resolve_url;
using net::status_text;
using net::without_credentials;

// What applies without a provider_installation block: local directories that exist, and the registries for
// all providers that are not in one of them.
std::vector<InstallMethod> default_methods(const Environment& env);

}  // namespace xplan::install
