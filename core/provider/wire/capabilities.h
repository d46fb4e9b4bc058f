// What a provider's server can do besides its schemas. Read with the schema, see schema.h.
//
// Used by: the plugin client and the kit's server. It stands alone so that headers need no messages.
// Thread-safety: plain data.
#pragma once

namespace xplan::wire {

struct Capabilities {
  bool plan_destroy = false;     // wants to plan the end of objects itself
  bool schema_optional = false;  // works without being asked for its schema first
  bool move_state = false;
  bool generate_config = false;  // says itself what configuration makes an object
};

}  // namespace xplan::wire
