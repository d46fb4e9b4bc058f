// Verifies a detached OpenPGP signature with RNP (loaded on first use) and says which of the given keys made
// it.
#include "core/install/signature.h"

#include <rnp/rnp.h>
#include <rnp/rnp_err.h>

#include <ctime>
#include <memory>

#include "core/base/library.h"

namespace xplan::install {
namespace {

// clang-format off
#define XPLAN_RNP_FUNCTIONS(X) \
  X(rnp_ffi_create) X(rnp_ffi_destroy) X(rnp_input_from_memory) X(rnp_input_destroy) \
  X(rnp_import_keys) X(rnp_op_verify_detached_create) X(rnp_op_verify_execute) \
  X(rnp_op_verify_destroy) X(rnp_op_verify_get_signature_count) X(rnp_op_verify_get_signature_at) \
  X(rnp_op_verify_signature_get_status) X(rnp_op_verify_signature_get_key) X(rnp_key_get_keyid) \
  X(rnp_key_get_fprint) X(rnp_key_valid_till64) X(rnp_key_handle_destroy) X(rnp_buffer_destroy) X(rnp_result_to_string)
// clang-format on
XPLAN_LIBRARY_API("librnp.so.0", XPLAN_RNP_FUNCTIONS)

struct Input {
  Input(std::string_view bytes) {
    api().rnp_input_from_memory(&handle, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(), false);
  }
  ~Input() { api().rnp_input_destroy(handle); }
  Input(const Input&) = delete;
  rnp_input_t handle = nullptr;
};

}  // namespace

Result<SigningKey> verify_signature(std::string_view data, std::string_view signature,
                                    const std::vector<std::string>& keys) {
  const Api& a = api();
  if (!a.library.missing().empty())
    return Error{"signatures cannot be checked on this system, because " + a.library.missing() +
                 " (librnp) is not available"};
  if (keys.empty()) return Error{"there is no key to check it with"};
  rnp_ffi_t raw = nullptr;
  if (a.rnp_ffi_create(&raw, "GPG", "GPG") != RNP_SUCCESS)
    return Error{"the signature library failed to initialize"};
  std::unique_ptr<rnp_ffi_st, decltype(a.rnp_ffi_destroy)> ffi(raw, a.rnp_ffi_destroy);
  size_t readable = 0;
  for (const std::string& key : keys) {
    Input in(key);
    if (in.handle && a.rnp_import_keys(raw, in.handle, RNP_LOAD_SAVE_PUBLIC_KEYS, nullptr) == RNP_SUCCESS)
      ++readable;
  }
  if (readable == 0) return Error{"none of the keys to check it with can be read"};
  Input content(data), made(signature);
  if (!content.handle || !made.handle) return Error{"it is empty"};
  rnp_op_verify_t op_raw = nullptr;
  if (a.rnp_op_verify_detached_create(&op_raw, raw, content.handle, made.handle) != RNP_SUCCESS)
    return Error{"it cannot be read"};
  std::unique_ptr<rnp_op_verify_st, decltype(a.rnp_op_verify_destroy)> op(op_raw, a.rnp_op_verify_destroy);
  rnp_result_t result = a.rnp_op_verify_execute(op_raw);
  size_t count = 0;
  a.rnp_op_verify_get_signature_count(op_raw, &count);
  for (size_t i = 0; i < count; ++i) {
    rnp_op_verify_signature_t s = nullptr;
    if (a.rnp_op_verify_get_signature_at(op_raw, i, &s) != RNP_SUCCESS) continue;
    const rnp_result_t status = a.rnp_op_verify_signature_get_status(s);
    if (status != RNP_SUCCESS) {
      result = status;
      continue;
    }
    rnp_key_handle_t key = nullptr;
    if (a.rnp_op_verify_signature_get_key(s, &key) != RNP_SUCCESS || !key) continue;
    SigningKey out;
    char* text = nullptr;
    if (a.rnp_key_get_keyid(key, &text) == RNP_SUCCESS) out.id = text, a.rnp_buffer_destroy(text);
    if (a.rnp_key_get_fprint(key, &text) == RNP_SUCCESS) out.fingerprint = text, a.rnp_buffer_destroy(text);
    uint64_t end = 0;
    if (a.rnp_key_valid_till64(key, &end) == RNP_SUCCESS)
      out.expired = end < static_cast<uint64_t>(std::time(nullptr));
    a.rnp_key_handle_destroy(key);
    return out;
  }
  if (result == RNP_ERROR_KEY_NOT_FOUND)
    return Error{"it was made with a key that the registry does not list"};
  const char* why = result == RNP_SUCCESS ? "it contains no signature" : a.rnp_result_to_string(result);
  return Error{std::string("it is not valid (") + (why ? why : "unknown reason") + ")"};
}

}  // namespace xplan::install
