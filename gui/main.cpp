// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
// iwarpscope-gui
#include <fcntl.h>
#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QSocketNotifier>
#include <QTemporaryDir>
#include <QTextStream>
#include <QTranslator>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <map>
#include <memory>

#include "window/headless_report.h"
#include "window/main_window.h"
#include "window/picture_taker.h"
#include "window/session_views.h"

namespace iwarpscope::gui {
namespace {

constexpr int kDone = 0, kTrouble = 2;

class Program {
  Q_DECLARE_TR_FUNCTIONS(Program)
};

struct Arguments {
  Source source;
  bool connect = false;
  QString report_of, report, picture;
  std::optional<std::uint64_t> qp;
};

int complain(const QString& sentence) {
  QTextStream(stderr) << "iwarpscope-gui: " << sentence << Qt::endl;
  return kTrouble;
}

void add_options(QCommandLineParser& parser) {
  parser.setApplicationDescription(Program::tr(
      "Shows what iWARP queue pairs did and what went wrong, from capture files or a running iwarpscoped."));
  parser.addHelpOption();
  parser.addVersionOption();
  parser.addPositionalArgument(Program::tr("file"), Program::tr("Capture files to open, one after the other."),
                               Program::tr("[file...]"));
  parser.addOptions({
      {QStringLiteral("socket"), Program::tr("Connect to the daemon at this Unix socket."), Program::tr("path")},
      {QStringLiteral("connect"), Program::tr("Connect to the daemon at this address and port, with TLS."),
       Program::tr("host:port")},
      {QStringLiteral("cert"), Program::tr("Certificate of this user (PEM)."), Program::tr("file")},
      {QStringLiteral("key"), Program::tr("Key of the certificate (PEM)."), Program::tr("file")},
      {QStringLiteral("ca"), Program::tr("Certificate that signs the daemon's (PEM)."), Program::tr("file")},
      {QStringLiteral("export-report"),
       Program::tr("Write a report of this capture as HTML and exit. No display is needed."), Program::tr("file")},
      {{QStringLiteral("o"), QStringLiteral("output")}, Program::tr("The report's file."), Program::tr("file")},
      {QStringLiteral("picture"),
       Program::tr("Write a picture of the window as PNG after the files are read, and exit."), Program::tr("file")},
      {QStringLiteral("qp"), Program::tr("Report only this queue pair."), Program::tr("number")},
  });
}

/// Qt decodes arguments that are not UTF-8 and drops their octets: maps Qt's text to the argument's octets. In their
/// order.
class NativeNames {
 public:
  NativeNames(int argc, char** argv) {
    for (char** word = argv + 1; word < argv + argc; ++word) {
      QByteArray octets(*word);
      if (octets.startsWith("--export-report=")) octets = octets.sliced(octets.indexOf('=') + 1);
      const QString name = name_of(octets), of_qt = QString::fromLocal8Bit(octets);
      if (name != of_qt) names_[of_qt] << name;
    }
  }
  [[nodiscard]] QString take(const QString& of_qt) {
    const auto known = names_.find(of_qt);
    return known == names_.end() || known->second.isEmpty() ? of_qt : known->second.takeFirst();
  }

 private:
  std::map<QString, QStringList> names_;
};

/// Fails with one sentence.
QString read_arguments(const QCommandLineParser& parser, NativeNames names, Arguments& arguments) {
  const auto value = [&](const char* name) { return parser.value(QString::fromLatin1(name)); };
  arguments.report_of = names.take(value("export-report"));
  for (const QString& file : parser.positionalArguments()) arguments.source.files << names.take(file);
  arguments.report = value("output");
  arguments.picture = value("picture");
  arguments.source.place.host = value("connect").toStdString();
  arguments.source.place.tls = {value("cert").toStdString(), value("key").toStdString(), value("ca").toStdString()};
  if (parser.isSet(QStringLiteral("socket"))) arguments.source.place.socket = value("socket").toStdString();
  arguments.connect = parser.isSet(QStringLiteral("socket")) || parser.isSet(QStringLiteral("connect"));
  if (arguments.connect && arguments.source.is_file()) {
    return Program::tr("Open either files or a daemon, not both.");
  }
  if (arguments.report_of.isEmpty() != arguments.report.isEmpty()) {
    return Program::tr("A report needs both --export-report and --output.");
  }
  if (!arguments.picture.isEmpty() && !arguments.source.is_file())
    return Program::tr("--picture needs a file to show.");
  if (parser.isSet(QStringLiteral("qp"))) {
    bool is_number = false;
    arguments.qp = value("qp").toULongLong(&is_number);
    if (!is_number) return Program::tr("“%1” is not a queue pair number.").arg(value("qp"));
    if (arguments.report_of.isEmpty()) return Program::tr("--qp needs --export-report.");
  }
  return {};
}

int make_report(const Arguments& arguments) {
  HeadlessReport report({.files = QStringList{arguments.report_of} + arguments.source.files}, arguments.report,
                        arguments.qp);
  QObject::connect(&report, &HeadlessReport::done, &report, [](const QString& trouble) {
    QCoreApplication::exit(trouble.isEmpty() ? kDone : complain(trouble));
  });
  report.start();
  return QCoreApplication::exec();
}

/// Writes the text shown in the picture to standard output.
void take_picture(PictureTaker& taker, MainWindow& window) {
  QObject::connect(&taker, &PictureTaker::done, &window, [&window](const QString& trouble) {
    if (trouble.isEmpty()) QTextStream(stdout) << window.views()->sentence() << Qt::endl;
    QCoreApplication::exit(trouble.isEmpty() ? kDone : complain(trouble));
  });
  taker.start();
}

int show_window(const Arguments& arguments) {
  // A picture uses the initial layout and does not change the user's layout.
  QTemporaryDir folder;
  const std::unique_ptr<QSettings> settings =
      arguments.picture.isEmpty()
          ? std::make_unique<QSettings>()
          : std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  MainWindow window(*settings);
  window.show();
  PictureTaker taker(window, arguments.picture);
  if (!arguments.picture.isEmpty()) take_picture(taker, window);
  if (arguments.connect) {
    window.open(arguments.source);
  } else {
    window.open_files(arguments.source.files);
  }
  return QCoreApplication::exec();
}

/// Whether no display is needed: the type of application must be known before the arguments are parsed.
bool is_without_display(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* word) {
    const QByteArrayView text(word);
    return text.startsWith("--export-report") || text == "--help" || text == "-h" || text == "--help-all" ||
           text == "--version" || text == "-v";
  });
}

std::array<int, 2> signal_pipe;

void pass_on(int /*signal*/) {
  (void)!write(signal_pipe[1], "", 1);
}

/// So that no temporary files remain. A second signal ends the program at once.
void end_at_signals(QCoreApplication& application) {
  if (pipe2(signal_pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return;
  auto* notifier = new QSocketNotifier(signal_pipe[0], QSocketNotifier::Read, &application);
  QObject::connect(notifier, &QSocketNotifier::activated, &application, [notifier, &application] {
    notifier->setEnabled(false);
    if (qobject_cast<QApplication*>(&application) != nullptr) QApplication::closeAllWindows();
    QCoreApplication::exit(kTrouble);
  });
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = pass_on;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
  }
}

int run(int argc, char** argv) {
  const bool without_display = is_without_display(argc, argv);
  const std::unique_ptr<QCoreApplication> application(
      without_display ? new QCoreApplication(argc, argv)
                      : static_cast<QCoreApplication*>(new QApplication(argc, argv)));
  end_at_signals(*application);
  QCoreApplication::setOrganizationName(QStringLiteral("iwarpscope"));
  QCoreApplication::setApplicationName(QStringLiteral("iwarpscope-gui"));
  QCoreApplication::setApplicationVersion(QStringLiteral(IWARPSCOPE_VERSION));
  QTranslator plurals;
  // English plurals. Qt's own dialogs are in English, too.
  if (plurals.load(QStringLiteral(":/i18n/iwarpscope-gui_en.qm"))) QCoreApplication::installTranslator(&plurals);
  QCommandLineParser parser;
  add_options(parser);
  parser.process(*application);
  Arguments arguments;
  if (const QString mistake = read_arguments(parser, {argc, argv}, arguments); !mistake.isEmpty())
    return complain(mistake);
  if (!arguments.report_of.isEmpty()) return make_report(arguments);
  QGuiApplication::setDesktopFileName(QStringLiteral("iwarpscope-gui"));
  QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/iwarpscope-gui.svg")));
  return show_window(arguments);
}

}  // namespace
}  // namespace iwarpscope::gui

int main(int argc, char** argv) {
  return iwarpscope::gui::run(argc, argv);
}
