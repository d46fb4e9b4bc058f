// The functions of libssh, loaded when the first of them is needed.
//
// Who calls it: the source files of this folder; nobody else includes this.
// Contract: ask ssh_missing() before the first call; the pointers are null when something is missing.
// Cost: loading on first use only.  Thread-safety: any thread; a session belongs to one thread at a time.
#pragma once
#include <libssh/callbacks.h>
#include <libssh/libssh.h>

#include "core/base/library.h"

namespace xplan::remote {

// clang-format off
#define XPLAN_SSH_FUNCTIONS(X) \
  X(ssh_init) X(ssh_new) X(ssh_free) X(ssh_silent_disconnect) X(ssh_options_set) X(ssh_set_blocking) X(ssh_connect) \
  X(ssh_get_error) X(ssh_get_poll_flags) X(ssh_set_agent_socket) X(ssh_get_server_publickey) X(ssh_key_cmp) X(ssh_key_free) \
  X(ssh_pki_import_privkey_base64) X(ssh_pki_import_pubkey_base64) X(ssh_pki_import_cert_base64) \
  X(ssh_pki_copy_cert_to_privkey) X(ssh_key_type_from_name) X(ssh_get_publickey_hash) X(ssh_get_fingerprint_hash) \
  X(ssh_clean_pubkey_hash) X(ssh_string_free_char) X(ssh_userauth_none) X(ssh_userauth_list) X(ssh_userauth_publickey) \
  X(ssh_userauth_agent) X(ssh_userauth_password) X(ssh_userauth_kbdint) X(ssh_userauth_kbdint_getnprompts) \
  X(ssh_userauth_kbdint_setanswer) X(ssh_channel_new) X(ssh_channel_free) X(ssh_channel_close) X(ssh_channel_open_session) \
  X(ssh_channel_open_forward) X(ssh_channel_request_pty_size) X(ssh_channel_request_exec) X(ssh_channel_read_nonblocking) \
  X(ssh_channel_write) X(ssh_channel_send_eof) X(ssh_channel_is_eof) X(ssh_channel_is_closed) X(ssh_channel_is_open) \
  X(ssh_channel_get_exit_status) X(ssh_set_channel_callbacks)
// clang-format on
XPLAN_LIBRARY_STRUCT(Ssh, "libssh.so.4", XPLAN_SSH_FUNCTIONS, if (library.missing().empty()) ssh_init();)

inline const Ssh& ssh() {
  static const Ssh s;
  return s;
}
inline const std::string& ssh_missing() {
  return ssh().library.missing();
}

// Closes what a pointer of the library leads to.
template <class T, auto F>
struct Owned {
  T handle = nullptr;
  Owned() = default;
  explicit Owned(T h) : handle(h) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle) (ssh().*F)(handle);
  }
};
using Key = Owned<ssh_key, &Ssh::ssh_key_free>;

}  // namespace xplan::remote
