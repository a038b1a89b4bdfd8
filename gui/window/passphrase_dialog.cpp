// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "window/passphrase_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

#include "api/tls_files.h"

namespace iwarpscope::gui {
namespace {

QLabel* wrapped(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setVisible(!text.isEmpty());
  return label;
}

}  // namespace

PassphraseDialog::PassphraseDialog(std::string key_file, const QString& why, const QString& no_keyring, QWidget* parent)
    : QDialog(parent),
      key_file_(std::move(key_file)),
      why_(wrapped(why, this)),
      field_(new QLineEdit(this)),
      keep_(new QCheckBox(tr("&Keep it in this desktop's keyring"), this)) {
  setWindowTitle(tr("Passphrase of a Key"));
  setAccessibleName(windowTitle());
  why_->setAccessibleDescription(tr("Error"));
  field_->setEchoMode(QLineEdit::Password);
  field_->setAccessibleName(tr("Passphrase"));
  field_->setMinimumWidth(50 * fontMetrics().averageCharWidth());
  keep_->setAccessibleName(tr("Keep the passphrase in this desktop's keyring"));
  keep_->setVisible(no_keyring.isEmpty());
  auto* label = wrapped(tr("&Passphrase of the key %1:")
                            .arg(QString::fromStdString(key_file_).replace(QLatin1Char('&'), QLatin1String("&&"))),
                        this);
  label->setBuddy(field_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  QPushButton* go = buttons->addButton(tr("&Connect"), QDialogButtonBox::AcceptRole);
  go->setAccessibleName(tr("Connect with this passphrase"));
  go->setDefault(true);
  go->setEnabled(false);
  buttons->button(QDialogButtonBox::Cancel)->setAccessibleName(tr("Do not connect"));
  connect(field_, &QLineEdit::textChanged, this, [go](const QString& text) { go->setEnabled(!text.isEmpty()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &PassphraseDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(why_);
  layout->addWidget(label);
  layout->addWidget(field_);
  layout->addWidget(keep_);
  const QString asked = tr("The passphrase is not saved. You are asked each time.");
  layout->addWidget(wrapped(no_keyring.isEmpty() ? QString() : QStringLiteral("%1 %2").arg(no_keyring, asked), this));
  layout->addWidget(buttons);
  field_->setFocus();
}

PassphraseDialog::~PassphraseDialog() = default;

bool PassphraseDialog::is_to_be_kept() const {
  return !keep_->isHidden() && keep_->isChecked();
}

void PassphraseDialog::accept() {
  std::string typed = field_->text().toStdString();
  passphrase_ = api::Secret(typed);
  api::wipe(typed);
  field_->clear();
  if (api::opens(key_file_, passphrase_)) return QDialog::accept();
  passphrase_ = {};
  why_->setText(tr("✗ This passphrase does not open the key. Try again."));
  why_->show();
  adjustSize();
  field_->setFocus();
}

}  // namespace iwarpscope::gui
