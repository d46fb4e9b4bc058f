// State edits: moves, removals, listing, taint, replacing a provider; refused edits leave the state as it
// was.
#include <catch2/catch.hpp>

#include "core/state/edit.h"

using namespace xplan;

namespace {

State made(const std::vector<std::string>& addrs) {
  State s;
  for (const std::string& a : addrs) {
    auto o = std::make_shared<Object>();
    o->buffer = std::make_shared<const std::string>("{\"x\":{\"id\":\"no\"},\"id\":\"id of " +
                                                    std::to_string(s.resources.size()) + "\"}");
    o->attributes_json = *o->buffer;
    s.ensure(*parse_abs_instance(a), *parse_provider_config_addr("provider[\"a/p\"]")).current = o;
  }
  return s;
}
std::string names(const State& s) {
  std::string out;
  Diagnostics d;
  for (auto& l : list_instances(s, {}, {}, d)) out += l.addr.text() + " ";
  return out;
}
Target target(const std::string& s) {
  auto t = parse_target(s);
  REQUIRE(t);
  return *t;
}
const std::vector<std::string> kState = {
    "data.t.q",          "t.one",
    "t.two[0]",          "t.two[1]",
    "t.map[\"x\"]",      "module.box.t.r",
    "module.box.t.s[0]", "module.cnt[0].t.r",
    "module.cnt[1].t.r", "module.top.module.inner.t.r",
    "module.z.t.r",      "module.z.module.n.t.d",
};

}  // namespace

TEST_CASE("objects are moved, or the state stays as it is") {
  // `moved`: empty for a refusal; otherwise pairs that are reported.
  struct {
    const char* from;
    const char* to;
    const char* moved;
    const char* has;
    const char* says;
  } rows[] = {
      {"t.one", "t.uno", "t.one>t.uno;", "t.uno ", ""},
      {"t.one", "t.one", "", "", "are the same"},
      {"t.one", "t.one[0]", "t.one>t.one[0];", "t.one[0] ", ""},
      {"t.one", "t.two", "t.one>t.two;", "t.two t.two[0] t.two[1] ", ""},
      {"t.one", "t.two[2]", "t.one>t.two[2];", "t.two[2] ", ""},
      {"t.one", "t.two[\"k\"]", "t.one>t.two[\"k\"];", "t.two[\"k\"] ", ""},
      {"t.one", "t.two[0]", "", "", "already an object"},
      {"t.one", "module.new[3].t.one", "t.one>module.new[3].t.one;", "module.new[3].t.one ", ""},
      {"t.one", "module.box", "", "", "not a module"},
      {"t.one", "u.one", "", "", "types"},
      {"t.one", "data.t.one", "", "", "another managed resource"},
      {"data.t.q", "t.q", "", "", "another data source"},
      {"data.t.q", "data.t.p", "data.t.q>data.t.p;", "data.t.p ", ""},
      {"t.two", "t.three", "t.two>t.three;", "t.three[0] t.three[1] ", ""},
      {"t.two", "t.three[0]", "", "", "whole resource"},
      {"t.two", "t.one", "", "", "already a resource"},
      {"t.two", "module.box.t.two", "t.two>module.box.t.two;", "module.box.t.two[0] module.box.t.two[1] ",
       ""},
      {"t.two[0]", "t.three", "t.two[0]>t.three;", "t.three ", ""},
      {"t.two[0]", "t.two", "t.two[0]>t.two;", "t.two t.two[1] ", ""},
      {"t.two[0]", "t.two[0]", "", "", "are the same"},
      {"t.two", "t.two", "", "", "are the same"},
      {"t.two[9]", "t.three", "", "", "no objects at"},
      {"t.two[1]", "t.one", "", "", "already an object"},
      {"t.map[\"x\"]", "t.two[5]", "t.map[\"x\"]>t.two[5];", "t.two[5] ", ""},
      {"t.nope", "t.x", "", "", "no objects at"},
      {"module.box.t.r", "t.r", "module.box.t.r>t.r;", "t.r ", ""},
      {"module.box", "module.crate", "module.box>module.crate;", "module.crate.t.r module.crate.t.s[0] ", ""},
      {"module.box", "module.cnt", "module.box>module.cnt;", "module.cnt.t.r ", ""},
      {"module.box", "module.cnt[0]", "", "", "already objects"},
      {"module.box", "module.box", "", "", "two different"},
      {"module.box", "t.z", "", "", "must be a module"},
      {"module.box", "module.box.module.in", "module.box>module.box.module.in;", "module.box.module.in.t.r ",
       ""},
      {"module.cnt", "module.new", "", "", "no objects at"},
      {"module.cnt[0]", "module.cnt[\"k\"]", "module.cnt[0]>module.cnt[\"k\"];", "module.cnt[\"k\"].t.r ",
       ""},
      {"module.top", "module.box", "module.top.module.inner>module.box.module.inner;",
       "module.box.module.inner.t.r ", ""},
      {"module.top.module.inner", "module.inner", "module.top.module.inner>module.inner;",
       "module.inner.t.r ", ""},
      {"module.z", "module.zz", "module.z>module.zz;module.z.module.n>module.zz.module.n;",
       "module.zz.module.n.t.d ", ""},
      {"module.z", "module.z.module.n",
       "module.z>module.z.module.n;module.z.module.n>module.z.module.n.module.n;", "module.z.module.n.t.r ",
       ""},
      {"module.z.module.n", "module.z", "", "", "already objects"},
      {"module.nope", "module.x", "", "", "no objects at"},
  };
  for (auto& r : rows) {
    INFO(r.from << " to " << r.to);
    State s = made(kState);
    const size_t count = kState.size();
    const std::string before = names(s);
    Diagnostics d;
    std::string moved;
    for (auto& m : move_objects(s, s, target(r.from), target(r.to), d)) moved += m.from + ">" + m.to + ";";
    CHECK(moved == r.moved);
    INFO(names(s));
    CHECK(d.has_errors() == moved.empty());
    if (moved.empty()) {
      CHECK(names(s) == before);
      INFO(d.all()[0].detail);
      CHECK(d.all()[0].detail.find(r.says) != std::string::npos);
    } else {
      CHECK(names(s).find(r.has) != std::string::npos);
      Diagnostics e;
      CHECK(list_instances(s, {}, {}, e).size() == count);
      for (const auto& [addr, r] : s.resources) CHECK(!r.provider.provider.empty());
    }
  }
}

TEST_CASE("objects are moved into another state") {
  State s = made(kState), t = made({"t.one", "module.box.t.k"});
  Diagnostics d;
  CHECK(move_objects(s, t, target("t.one"), target("t.two"), d).size() == 1);
  CHECK(move_objects(s, t, target("module.z"), target("module.z"), d).size() == 2);  // the address stays
  CHECK(d.error_count() == 0);
  CHECK(move_objects(t, t, target("module.z"), target("module.z"), d).empty());
  CHECK(d.error_count() == 1);
  CHECK(move_objects(t, t, target("module.z"), target("module.y"), d).size() == 2);
  CHECK(move_objects(s, t, target("module.box"), target("module.box[0]"), d).size() == 1);
  CHECK(names(t) ==
        "t.one t.two module.box.t.k module.box[0].t.r module.box[0].t.s[0] module.y.t.r "
        "module.y.module.n.t.d ");
}

TEST_CASE("recorded dependencies on what has moved are forgotten, others stay") {
  State s = made({"t.one", "t.two", "t.three", "module.m.t.a"});
  auto depends = [&](const char* a, std::vector<const char*> on) {
    auto list = std::make_shared<std::vector<ConfigResource>>();
    for (const char* c : on) list->push_back(*parse_config_resource(c));
    auto& current = s.find(*parse_abs_instance(a))->current;
    auto o = std::make_shared<Object>(*current);
    o->dependencies = list;
    current = o;
  };
  depends("t.two", {"t.one"});
  depends("t.three", {"module.m.t.a", "t.two"});
  auto count = [&](const char* a) {
    auto d = s.find(*parse_abs_instance(a))->current->dependencies;
    return d ? d->size() : 0;
  };
  Diagnostics d;
  move_objects(s, s, target("t.three"), target("t.four"), d);
  CHECK((count("t.two") == 1 && count("t.four") == 2));
  move_objects(s, s, target("module.m"), target("module.n[0]"), d);
  CHECK((count("t.two") == 1 && count("t.four") == 0));
  move_objects(s, s, target("t.one"), target("t.uno"), d);
  CHECK(count("t.two") == 0);
  CHECK_FALSE(d.has_errors());
}

TEST_CASE("objects are removed and listed by what the addresses cover") {
  struct {
    std::vector<const char*> targets;
    const char* covered;
    bool list_fails;
  } rows[] = {
      {{"t.one"}, "t.one ", false},
      {{"t.two[0]", "t.two"}, "t.two[0] t.two[0] t.two[1] ", false},
      {{"module.cnt"}, "module.cnt[0].t.r module.cnt[1].t.r ", false},
      {{"module.cnt[1]"}, "module.cnt[1].t.r ", false},
      {{"module.z", "module.box"},
       "module.z.t.r module.z.module.n.t.d module.box.t.r module.box.t.s[0] ",
       false},
      {{"data.t.q"}, "data.t.q ", false},
      {{"t.nope", "t.one"}, "t.one ", true},
      {{"module.cnt.t.r"}, "", true},
      {{"t.one[0]"}, "", true},
      {{"module.nope"}, "", true},
  };
  for (auto& r : rows) {
    std::vector<Target> targets;
    for (auto* t : r.targets) targets.push_back(target(t));
    INFO(r.targets[0]);
    State s = made(kState);
    Diagnostics d, e;
    std::string listed, removed;
    for (auto& l : list_instances(s, targets, {}, d)) listed += l.addr.text() + " ";
    CHECK(listed == (r.list_fails ? "" : r.covered));
    CHECK(d.has_errors() == r.list_fails);
    for (auto& a : remove_objects(s, targets, e)) removed += a.text() + " ";
    CHECK(removed == r.covered);
    CHECK(e.has_errors() == removed.empty());
    for (auto& a : targets)
      for (auto& [addr, rs] : s.resources)
        for (auto& [key, i] : rs.instances)
          CHECK_FALSE(a.covers(AbsInstance{addr.module, addr.resource, key}));
  }
}

TEST_CASE("objects are listed by their id") {
  State s = made(kState);
  Diagnostics d;
  auto l = list_instances(s, {}, "id of 1", d);
  REQUIRE(l.size() == 1);
  CHECK(l[0].addr.text() == "t.one");
  CHECK(list_instances(s, {}, "no", d).empty());
  CHECK(d.empty());
}

TEST_CASE("objects are tainted and untainted") {
  State s = made(kState);
  Diagnostics d;
  auto one = *parse_abs_instance("t.one");
  ObjectPtr before = s.find(one)->current;
  CHECK_FALSE(untaint_instance(s, one, false, d));
  CHECK(d.error_count() == 1);
  CHECK(taint_instance(s, one, false, d));
  CHECK(before->status == ObjectStatus::Ready);
  CHECK(s.find(one)->current->status == ObjectStatus::Tainted);
  CHECK(taint_instance(s, one, false, d));
  CHECK(untaint_instance(s, one, false, d));
  CHECK(s.find(one)->current->status == ObjectStatus::Ready);
  CHECK(d.error_count() == 1);
  for (auto* missing : {"t.two", "t.two[7]", "t.nope", "data.t.q"})
    CHECK_FALSE(taint_instance(s, *parse_abs_instance(missing), false, d));
  CHECK(d.error_count() == 5);
  CHECK_FALSE(taint_instance(s, *parse_abs_instance("t.nope"), true, d));
  CHECK_FALSE(untaint_instance(s, *parse_abs_instance("t.nope"), true, d));
  CHECK(d.error_count() == 5);
  s.find(one)->deposed["00000001"] = std::move(s.find(one)->current);
  s.find(one)->current = nullptr;
  CHECK_FALSE(taint_instance(s, one, true, d));
  CHECK(d.error_count() == 6);
}

TEST_CASE("a provider is replaced everywhere") {
  State s = made(kState);
  CHECK(replace_provider(s, *parse_provider_addr("a/p"), *parse_provider_addr("b/p")).size() ==
        s.resources.size());
  CHECK(replace_provider(s, *parse_provider_addr("a/p"), *parse_provider_addr("b/p")).empty());
}
