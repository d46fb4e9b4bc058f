// Finds the blocks that a plan's changes and checks come from.
#include "core/review/places.h"

namespace xplan::review {
namespace {

// The address without instance keys, from the root module.
std::string left_behind(const config::Node& node, const config::EndPoint& e) {
  const Module path = e.module(node.path);
  return e.resource ? ConfigResource{path, *e.resource}.text() : path.text();
}

}  // namespace

Places::Places(const config::Config* config) : config_(config) {
  if (!config) return;
  for (const config::Node* node : config->nodes) {
    for (const config::Moved& m : node->module->moved) left_.emplace(left_behind(*node, m.from), m.range);
    for (const config::Removed& r : node->module->removed) left_.emplace(left_behind(*node, r.from), r.range);
  }
}

Range Places::of_module(Module path) const {
  if (!config_) return {};
  for (; !path.is_root(); path = path.parent()) {
    if (auto it = left_.find(path.text()); it != left_.end()) return it->second;
    if (const config::Node* node = config_->find(path); node && node->call) return node->call->range;
  }
  return {};
}

Range Places::of(const ConfigResource& resource) const {
  if (!config_) return {};
  if (const config::Resource* r = config_->find(resource)) return r->range;
  if (auto it = left_.find(resource.text()); it != left_.end()) return it->second;
  return of_module(resource.module);
}

Range Places::of(const CheckResult& check) const {
  if (!config_) return {};
  if (check.kind == CheckKind::Resource) return of(check.resource);
  const config::Node* node = config_->find(check.module);
  if (!node) return of_module(check.module);
  const config::Module& m = *node->module;
  switch (check.kind) {
    case CheckKind::Resource:
      break;
    case CheckKind::Output:
      if (const int i = m.find_output(check.name); i >= 0) return m.outputs[static_cast<size_t>(i)].range;
      break;
    case CheckKind::Variable:
      if (const int i = m.find_variable(check.name); i >= 0) return m.variables[static_cast<size_t>(i)].range;
      break;
    case CheckKind::Check:
      if (auto it = m.index.checks.find(check.name); it != m.index.checks.end())
        return m.checks[it->second].range;
      break;
  }
  return of_module(check.module);
}

Range Places::of_output(Symbol name) const {
  if (!config_) return {};
  const config::Module& m = *config_->root->module;
  const int i = m.find_output(name);
  return i < 0 ? Range() : m.outputs[static_cast<size_t>(i)].range;
}

Range Places::anywhere() const {
  if (!config_) return {};
  const config::Module& m = *config_->root->module;
  for (const config::Resource& r : m.resources) return r.range;
  for (const config::ModuleCall& c : m.calls) return c.range;
  for (const config::Output& o : m.outputs) return o.range;
  for (const config::Variable& v : m.variables) return v.range;
  return m.required_providers_range;
}

}  // namespace xplan::review
