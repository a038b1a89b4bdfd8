#include "service/reload.h"

#include "service/keys.h"

namespace iwarpscope::service {

Reloaded reloaded(const Configuration& begun, const Configuration& now, const Configuration& read) {
  Reloaded all{now, {}, {}};
  for (const Key& key : keys()) {
    const std::string text = key.text(read);
    if (key.reload == Reload::applied) {
      if (text == key.text(now)) continue;
      key.copy(all.next, read);
      all.applied.push_back(key.full_name());
    } else if (text != key.text(begun)) {
      all.restarts.push_back(key.full_name());
    }
  }
  return all;
}

}  // namespace iwarpscope::service
