// The words on which atomics were seen, and the history of the chosen one.
#pragma once

#include <QWidget>

#include "models/atomic_words.h"
#include "models/selection.h"

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace iwarpscope::gui {

class AtomicView : public QWidget {
  Q_OBJECT

 public:
  AtomicView(const MessageStore& store, MessageStore::AskMessages ask, Selection& selection, QWidget* parent = nullptr);
  /// The queue pair that the store has, before its messages come; nothing: none.
  void set_qp(const std::optional<live::QpView>& qp);
  /// All there are: among them are the others with the same responder.
  void set_all(std::vector<live::QpView> qps);
  [[nodiscard]] QTreeView* words() const noexcept { return words_; }
  [[nodiscard]] QTreeView* uses() const noexcept { return uses_; }
  [[nodiscard]] QPushButton* others() const noexcept { return others_; }

 private:
  void choose();
  void ask_or_cancel();
  void tell_asked(const QString& trouble);
  void tell_others();
  void look_at(const QModelIndex& index);

  Selection& selection_;
  AtomicWordsModel words_model_;
  AtomicUsesModel uses_model_;
  QTreeView *words_, *uses_;
  QLabel* sentence_;
  QPushButton* others_;
  QProgressBar* progress_;
  std::vector<live::QpView> all_;
};

}  // namespace iwarpscope::gui
