// Reads XML with libxml2's pull parser, which has no depth or document of its own here.
#include "core/cloud/xml.h"

#include <libxml/parser.h>
#include <libxml/xmlreader.h>

#include <climits>
#include <memory>

#include "core/base/library.h"

namespace xplan::cloud {
namespace {

#define XPLAN_XML_FUNCTIONS(X)   \
  X(xmlInitParser)               \
  X(xmlReaderForMemory)          \
  X(xmlFreeTextReader)           \
  X(xmlTextReaderRead)           \
  X(xmlTextReaderNodeType)       \
  X(xmlTextReaderDepth)          \
  X(xmlTextReaderIsEmptyElement) \
  X(xmlTextReaderConstLocalName) \
  X(xmlTextReaderConstValue) X(xmlTextReaderSetErrorHandler)

XPLAN_LIBRARY_API("libxml2.so.2", XPLAN_XML_FUNCTIONS)

constexpr int kDepth = 32;
constexpr size_t kElements = 100'000;

std::string xml_text(const xmlChar* s) {
  return s ? reinterpret_cast<const char*>(s) : "";
}

// The elements that are open, the innermost last. A vector of children moves only when its parent is the
// innermost one, so none of these pointers is left behind.
struct Builder {
  Xml top;
  std::vector<Xml*> open{&top};
  size_t elements = 0;

  // Why the text is rejected; empty when it is not.
  std::string_view take(xmlTextReader* r) {
    switch (api().xmlTextReaderNodeType(r)) {
      case XML_READER_TYPE_ELEMENT: {
        if (++elements > kElements) return "has too many elements";
        if (open.size() > kDepth) return "is nested too deeply";
        Xml& x = open.back()->children.emplace_back();
        x.name = xml_text(api().xmlTextReaderConstLocalName(r));
        if (api().xmlTextReaderIsEmptyElement(r) != 1) open.push_back(&x);
        return {};
      }
      case XML_READER_TYPE_END_ELEMENT:
        if (open.size() > 1) open.pop_back();
        return {};
      case XML_READER_TYPE_TEXT:
      case XML_READER_TYPE_CDATA:
        open.back()->text += xml_text(api().xmlTextReaderConstValue(r));
        return {};
      case XML_READER_TYPE_DOCUMENT_TYPE:
      case XML_READER_TYPE_ENTITY_REFERENCE:
        return "declares a document type or entities, as web pages do";
      default:
        return {};
    }
  }
};

}  // namespace

const Xml* Xml::child(std::string_view wanted) const {
  for (const Xml& x : children)
    if (x.name == wanted) return &x;
  return nullptr;
}

std::string Xml::at(std::string_view path) const {
  const Xml* x = this;
  while (x && !path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    x = x->child(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return x ? x->text : std::string();
}

Result<Xml> parse_xml(std::string_view text) {
  if (!api().library.missing().empty())
    return Error{"cannot be read, because " + api().library.missing() + " (libxml2) is not available"};
  // What threads share is made before any of them needs it.
  [[maybe_unused]] static const bool ready = (api().xmlInitParser(), true);
  if (text.size() > INT_MAX) return Error{"is too long"};
  const auto free_reader = [](xmlTextReader* r) { api().xmlFreeTextReader(r); };
  const std::unique_ptr<xmlTextReader, decltype(free_reader)> reader(
      api().xmlReaderForMemory(
          text.data(), static_cast<int>(text.size()), nullptr, nullptr,
          XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOBLANKS),
      free_reader);
  if (!reader) return Error{"cannot be read"};
  api().xmlTextReaderSetErrorHandler(
      reader.get(), [](void*, const char*, xmlParserSeverities, void*) {}, nullptr);
  Builder b;
  int more;
  while ((more = api().xmlTextReaderRead(reader.get())) == 1)
    if (const std::string_view problem = b.take(reader.get()); !problem.empty())
      return Error{std::string(problem)};
  if (more != 0 || b.top.children.size() != 1) return Error{"is not well-formed XML"};
  return std::move(b.top.children[0]);
}

}  // namespace xplan::cloud
