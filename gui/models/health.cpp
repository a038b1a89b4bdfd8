// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/health.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <array>
#include <cmath>

#include "iwarpscope/v1/status.pb.h"
#include "models/words.h"
#include "report/human.h"
#include "report/restart_words.h"

namespace iwarpscope::gui {
namespace {

using State = HealthStage::State;

class Health {
  Q_DECLARE_TR_FUNCTIONS(Health)
};

constexpr double kLagSeconds = 2;  // lag of the analysis or of an output; no losses yet

QString frames(std::uint64_t count) {
  return count == 0 ? Health::tr("none lost") : Health::tr("%Ln frame(s) lost", nullptr, plural(count));
}

HealthStage stage(const QString& name, std::uint64_t lost, const QString& meaning) {
  return {name, lost == 0 ? State::well : State::lossy, frames(lost), meaning};
}

HealthStage file_stage(const v1::Status& status) {
  HealthStage made{Health::tr("File"), State::well, Health::tr("whole"),
                   Health::tr("Shows whether the capture file could be read to its end.")};
  QStringList remarks;
  for (const v1::Interface& one : status.interfaces()) {
    for (const std::string& warning : one.warnings()) remarks << QString::fromStdString(warning);
  }
  if (const QString partial = partial_sentence(status); !partial.isEmpty()) remarks.prepend(partial);
  if (remarks.isEmpty()) return made;
  made.state = State::lossy;
  made.value = status.replay_cut() ? Health::tr("partial") : Health::tr("incomplete");
  made.meaning += QLatin1Char('\n') + remarks.join(QLatin1Char('\n'));
  return made;
}

HealthStage cut_stage(const v1::Status& status) {
  const std::uint64_t cut = status.totals().cut_frames();
  HealthStage made{Health::tr("Cut frames"), cut == 0 ? State::well : State::lossy, Health::tr("none"),
                   Health::tr("Frames cut by the snap length. Their CRCs are not checked, and cut headers are not "
                              "decoded. Capture with a snap length of 0 or 262144.")};
  if (cut != 0) made.value = Health::tr("%Ln cut", nullptr, plural(cut));
  return made;
}

HealthStage interface_stage(const v1::Status& status) {
  if (status.replay()) return file_stage(status);
  HealthStage made = stage(Health::tr("Interface"), status.totals().losses().nic_frames(),
                           Health::tr("Frames that the adapter dropped before they could be captured. Check its ring "
                                      "size and the load of the mirror port."));
  QStringList remarks;
  for (const v1::Interface& one : status.interfaces()) {
    const QString name = QString::fromStdString(one.name());
    if (!one.up()) remarks << Health::tr("%1 is down.").arg(name);
    for (const std::string& warning : one.warnings()) remarks << QString::fromStdString(warning);
  }
  if (!remarks.isEmpty()) {
    made.meaning += QLatin1Char('\n') + remarks.join(QLatin1Char('\n'));
    if (made.state == State::well) made.state = State::strained;
  }
  return made;
}

HealthStage queue_stage(const v1::Status& status) {
  HealthStage made = stage(Health::tr("Queue"), status.totals().losses().queue_frames(),
                           Health::tr("Frames that were captured but not analysed, because the analysis was too slow. "
                                      "Configure more threads or a larger queue, or capture less traffic."));
  if (made.state == State::well && status.analysis_lag_seconds() > kLagSeconds) {
    made.state = State::strained;
    made.value = Health::tr("lag %L1 s").arg(status.analysis_lag_seconds(), 0, 'f', 1);
  }
  return made;
}

HealthStage gap_stage(const v1::Status& status) {
  const live::Losses losses = api::losses(status.totals().losses());
  HealthStage made{Health::tr("Capture gaps"), losses.has_gaps() ? State::lossy : State::well, Health::tr("none"),
                   Health::tr("Octets acknowledged by TCP, or messages acknowledged by SCTP, that are not in this "
                              "capture. They were lost at the mirror port or before the file was written.")};
  if (losses.has_gaps()) made.value = gap_words(losses.gap_octets, losses.gap_messages);
  return made;
}

HealthStage output_stage(const v1::Status& status) {
  std::uint64_t lost = 0;
  bool is_lagging = false;
  QStringList troubles;
  for (const v1::Output& output : status.outputs()) {
    lost += output.lost();
    is_lagging = is_lagging || output.lag_seconds() > kLagSeconds;
    if (!output.healthy()) {
      troubles << Health::tr("%1: %2").arg(QString::fromStdString(output.name()),
                                           QString::fromStdString(output.trouble()));
    }
  }
  HealthStage made{Health::tr("Outputs"), State::well, Health::tr("none lost"),
                   Health::tr("Records that the event log, journal, history or recorder could not write. The verdicts "
                              "shown here are not affected.")};
  if (status.outputs().empty()) made.value = Health::tr("none configured");
  if (is_lagging || !troubles.isEmpty()) made.state = State::strained;
  if (is_lagging) made.value = Health::tr("lagging");
  if (lost != 0) {
    made.state = State::lossy;
    made.value = Health::tr("%Ln lost", nullptr, plural(lost));
  }
  if (!troubles.isEmpty()) made.meaning += QLatin1Char('\n') + troubles.join(QLatin1Char('\n'));
  return made;
}

/// What a table of a daemon discards; a limit in octets is of memory.
struct TableWords {
  const char* table;
  const char* entries;
  bool in_octets = false;
};
constexpr std::array kTables{
    TableWords{"associations", QT_TRANSLATE_NOOP("Health", "associations discarded")},
    TableWords{"buffers", QT_TRANSLATE_NOOP("Health", "times that data was given up"), true},
    TableWords{"encapsulations", QT_TRANSLATE_NOOP("Health", "frames not decoded")},
    TableWords{"findings-per-rule", QT_TRANSLATE_NOOP("Health", "findings only counted")},
    TableWords{"flows", QT_TRANSLATE_NOOP("Health", "TCP connections discarded")},
    TableWords{"fragmented-datagrams", QT_TRANSLATE_NOOP("Health", "datagrams discarded")},
    TableWords{"fragments", QT_TRANSLATE_NOOP("Health", "datagrams discarded"), true},
    TableWords{"host-facts", QT_TRANSLATE_NOOP("Health", "hosts discarded")},
    TableWords{"outstanding-requests", QT_TRANSLATE_NOOP("Health", "requests discarded")},
    TableWords{"qps", QT_TRANSLATE_NOOP("Health", "queue pairs not followed")},
    TableWords{"remembered-findings", QT_TRANSLATE_NOOP("Health", "findings discarded")},
    TableWords{"remembered-messages", QT_TRANSLATE_NOOP("Health", "messages discarded")},
    TableWords{"remembered-qps", QT_TRANSLATE_NOOP("Health", "queue pairs discarded")},
    TableWords{"remembered-transport-events", QT_TRANSLATE_NOOP("Health", "events discarded")},
    TableWords{"sctp-streams", QT_TRANSLATE_NOOP("Health", "streams not read")},
    TableWords{"search", QT_TRANSLATE_NOOP("Health", "searches given up"), true},
    TableWords{"searched", QT_TRANSLATE_NOOP("Health", "searches given up"), true},
    TableWords{"summaries", QT_TRANSLATE_NOOP("Health", "counts that found no row of their own")},
    TableWords{"tcp-buffer", QT_TRANSLATE_NOOP("Health", "times that data was given up"), true},
    TableWords{"tcp-chunks", QT_TRANSLATE_NOOP("Health", "times that data was given up")},
};

/// "flows: TCP connections discarded: 12; the limit is 2,097,152".
QString limit_words(const v1::Limit& limit) {
  TableWords words{"", QT_TRANSLATE_NOOP("Health", "entries discarded"), limit.table() == "models"};
  for (const TableWords& one : kTables) {
    if (limit.table() == one.table) words = one;
  }
  const QString most = words.in_octets ? QString::fromStdString(report::human_octets(limit.limit()))
                                       : QLocale().toString(static_cast<qulonglong>(limit.limit()));
  return (limit.each() ? Health::tr("%1: %2: %L3; the limit is %4 each") : Health::tr("%1: %2: %L3; the limit is %4"))
      .arg(QString::fromStdString(limit.table()), Health::tr(words.entries))
      .arg(limit.evicted())
      .arg(most);
}

HealthStage table_stage(const v1::Status& status) {
  HealthStage made{Health::tr("Tables"), State::well, Health::tr("none full"),
                   Health::tr("Tables of limited size. When a table is full, its oldest entries are discarded.")};
  QStringList full;
  for (const v1::Limit& limit : status.limits()) {
    if (limit.evicted() == 0) continue;
    full << limit_words(limit);
  }
  if (full.isEmpty()) return made;
  made.state = State::strained;
  made.value = Health::tr("%n full", nullptr, static_cast<int>(full.size()));
  made.meaning += QLatin1Char('\n') + full.join(QLatin1Char('\n'));
  return made;
}

/// The sensors of a centre for which `is` holds.
template <class Is>
QStringList names_of(const v1::Status& status, const Is& is) {
  QStringList names;
  for (const v1::SensorStatus& sensor : status.sensors()) {
    if (is(sensor)) names << QString::fromStdString(sensor.name());
  }
  return names;
}

bool is_silent(const v1::SensorStatus& sensor) {
  return sensor.silent();
}

HealthStage sensors_stage(const v1::Status& status) {
  const QStringList silent = names_of(status, is_silent);
  HealthStage made{
      Health::tr("Sensors"), State::well, number_text(static_cast<std::uint64_t>(status.sensors_size())),
      Health::tr("Sensors that deliver to this centre. One is silent when nothing came for longer than its "
                 "heartbeats allow: what it saw since then is not here.")};
  if (silent.isEmpty()) return made;
  made.state = State::strained;
  made.value = Health::tr("%1, %Ln silent", nullptr, static_cast<int>(silent.size())).arg(made.value);
  made.meaning += QLatin1Char('\n') + Health::tr("Silent: %1").arg(few_names(silent));
  return made;
}

/// What sensors lost of their frames, of their gaps, or of their records.
template <class Lost>
HealthStage stage_of_sensors(HealthStage made, const v1::Status& status, const Lost& lost) {
  const QStringList names = names_of(status, lost);
  if (names.isEmpty()) return made;
  made.state = State::lossy;
  made.meaning += QLatin1Char('\n') + Health::tr("At: %1").arg(few_names(names));
  return made;
}

HealthStage delivery_stage(const v1::Status& status) {
  std::uint64_t waiting = 0, expired = 0;
  for (const v1::SensorStatus& sensor : status.sensors()) {
    waiting += sensor.waiting();
    expired += sensor.expired();
  }
  HealthStage made{Health::tr("Delivery"), State::well, Health::tr("none lost"),
                   Health::tr("Records that wait at the sensors, and those that sensors discarded before they could "
                              "deliver them.")};
  if (waiting != 0) made.value = Health::tr("%Ln waiting", nullptr, plural(waiting));
  if (expired != 0) made.value = Health::tr("%Ln lost", nullptr, plural(expired));
  return stage_of_sensors(std::move(made), status, [](const v1::SensorStatus& one) { return one.expired() != 0; });
}

HealthStage centre_stage(const v1::Status& status) {
  HealthStage made{Health::tr("Centre"), State::well, Health::tr("works"),
                   Health::tr("The database of the centre, and what the centre does with what arrived.")};
  QStringList troubles;
  for (const v1::Output& output : status.outputs()) {
    if (output.healthy()) continue;
    troubles << Health::tr("%1: %2").arg(QString::fromStdString(output.name()),
                                         QString::fromStdString(output.trouble()));
  }
  if (troubles.isEmpty()) return made;
  made.state = State::strained;
  made.value = Health::tr("has trouble");
  made.meaning += QLatin1Char('\n') + troubles.join(QLatin1Char('\n'));
  return made;
}

/// It captures nothing itself.
std::vector<HealthStage> stages_of_centre(const v1::Status& status) {
  const live::Losses losses = api::losses(status.totals().losses());
  return {sensors_stage(status),
          stage_of_sensors(stage(Health::tr("Capture"), losses.frames(),
                                 Health::tr("Frames that sensors lost before their analysis, since their daemons were "
                                            "started. The page of the site has them by sensor.")),
                           status, [](const v1::SensorStatus& one) { return api::losses(one.losses()).frames() != 0; }),
          stage_of_sensors(gap_stage(status), status,
                           [](const v1::SensorStatus& one) { return api::losses(one.losses()).has_gaps(); }),
          delivery_stage(status), centre_stage(status)};
}

/// Empty: no sensor lost anything.
QString loss_of_sensors(const v1::Status& status) {
  const QStringList names =
      names_of(status, [](const v1::SensorStatus& sensor) { return api::losses(sensor.losses()).any(); });
  if (names.isEmpty()) return {};
  return Health::tr("%1 lost frames or octets. Verdicts and findings of what these sensors saw may be incomplete.")
      .arg(few_names(names));
}

report::Restart restart_of(const v1::Status& status) {
  return {status.continued(), status.not_continued(), status.checkpoint_refused()};
}

/// Empty: the run before left nothing, or there was none.
std::optional<HealthStage> restart_stage(const v1::Status& status) {
  const report::Restart restart = restart_of(status);
  const std::string text = report::restart_text(restart);
  if (text.empty()) return std::nullopt;
  HealthStage made{Health::tr("Restart"), State::well,
                   Health::tr("%L1 continued").arg(static_cast<qulonglong>(restart.continued)),
                   Health::tr("Queue pairs that were open when the daemon was stopped. Those that continued are "
                              "followed as before. Those joined mid-stream are new queue pairs: their startup is "
                              "unknown, and their verdicts may be incomplete.")};
  made.meaning += QLatin1Char('\n') + QString::fromStdString(text);
  if (restart.not_continued != 0) {
    made.state = State::strained;
    made.value = Health::tr("%L1 of %L2 continued")
                     .arg(static_cast<qulonglong>(restart.continued))
                     .arg(static_cast<qulonglong>(restart.continued + restart.not_continued));
  }
  if (!restart.refused.empty()) {
    made.state = State::strained;
    made.value = Health::tr("none continued");
  }
  return made;
}

std::vector<HealthStage> stages_of_daemon(const v1::Status& status, bool of_file) {
  std::vector<HealthStage> stages{interface_stage(status)};
  if (!of_file) {
    stages.push_back(stage(Health::tr("Kernel"), status.totals().losses().kernel_frames(),
                           Health::tr("Frames that arrived while the capture ring was full. Make the ring larger.")));
    stages.push_back(queue_stage(status));
  }
  stages.push_back(gap_stage(status));
  if (!of_file) stages.push_back(output_stage(status));
  stages.push_back(table_stage(status));
  stages.push_back(cut_stage(status));
  if (auto restart = restart_stage(status)) stages.push_back(*std::move(restart));
  return stages;
}

}  // namespace

std::vector<HealthStage> health_stages(const v1::Status& status, bool stale, bool of_file) {
  std::vector<HealthStage> stages = status.centre() ? stages_of_centre(status) : stages_of_daemon(status, of_file);
  if (!stale) return stages;
  for (HealthStage& stage : stages) {
    stage.state = State::unknown;
    stage.value = Health::tr("%1, stale").arg(stage.value);
    stage.meaning = Health::tr("Daemon unreachable. Showing the last known state.") + QLatin1Char('\n') + stage.meaning;
  }
  return stages;
}

QString health_word(State state) {
  switch (state) {
    case State::well: return Health::tr("✓ OK");
    case State::strained: return Health::tr("▲ degraded");
    case State::lossy: return Health::tr("✗ losses");
    case State::unknown: break;
  }
  return Health::tr("? unknown");
}

QString loss_sentence(const v1::Status* status, const live::QpView* qp) {
  if (qp == nullptr && status != nullptr && status->centre()) return loss_of_sensors(*status);
  live::Losses losses;
  if (qp != nullptr) {
    losses = qp->losses;
    const auto& [a, b] = qp->record.directions;
    losses.gap_octets = a.capture_gap_octets + b.capture_gap_octets;
    losses.gap_messages = a.capture_gap_messages + b.capture_gap_messages;
  } else if (status != nullptr) {
    losses = api::losses(status->totals().losses());
  }
  if (!losses.any()) return {};
  const QString octets = gap_words(losses.gap_octets, losses.gap_messages);
  if (losses.frames() == 0) {
    return qp != nullptr
               ? Health::tr("The capture lacks %1 of this queue pair. Its verdict and findings may be incomplete.")
                     .arg(octets)
               : Health::tr("The capture lacks %1. Verdicts and findings may be incomplete.").arg(octets);
  }
  return qp != nullptr
             ? Health::tr(
                   "The sensor lost %Ln frame(s) during the lifetime of this queue pair, and %1 of the queue pair are "
                   "missing. Its verdict and findings may be incomplete.",
                   nullptr, plural(losses.frames()))
                   .arg(octets)
             : Health::tr("The sensor lost %Ln frame(s), and %1 are missing. Verdicts and findings may be incomplete.",
                          nullptr, plural(losses.frames()))
                   .arg(octets);
}

QString restart_sentence(const v1::Status& status, const QString& time) {
  const QString text = QString::fromStdString(report::restart_text(restart_of(status)));
  if (text.isEmpty()) {
    return Health::tr("The daemon was restarted at %1. What it saw before is no longer in its memory.").arg(time);
  }
  return (status.continued() != 0
              ? Health::tr("The daemon was restarted at %1: %2. Of what it saw before, only the queue pairs that "
                           "continued are in its memory.")
              : Health::tr("The daemon was restarted at %1: %2. What it saw before is no longer in its memory."))
      .arg(time, text);
}

QStringList capture_faults(const v1::Status& status) {
  QStringList faults;
  if (const QStringList silent = names_of(status, is_silent); !silent.isEmpty()) {
    faults << Health::tr("Silent: %1. What was seen there since then is not shown.").arg(few_names(silent));
  }
  const v1::Totals& totals = status.totals();
  if (status.replay()) {
    for (const v1::Interface& one : status.interfaces()) {
      for (const std::string& warning : one.warnings()) {
        faults << Health::tr("The capture is incomplete: %1.").arg(QString::fromStdString(warning));
      }
    }
  }
  if (totals.cut_frames() != 0) {
    faults << Health::tr("The snap length cut %Ln frame(s): the missing octets are not checked.", nullptr,
                         plural(totals.cut_frames()));
  }
  if (totals.undecoded_frames() != 0) {
    faults << Health::tr("%Ln frame(s) have a link type that is not decoded.", nullptr,
                         plural(totals.undecoded_frames()));
  }
  return faults;
}

QString failed_openings(const v1::Totals& totals) {
  const auto first = [](const v1::FailedOpenings& openings) {
    const QString address = QString::fromStdString(openings.listener().address());
    const QString host = address.contains(QLatin1Char(':')) ? QStringLiteral("[%1]").arg(address) : address;
    return Health::tr("%1:%2 in frame %L3").arg(host).arg(openings.listener().port()).arg(openings.frame());
  };
  QStringList sentences;
  if (const v1::FailedOpenings& refused = totals.refused(); refused.count() != 0) {
    sentences << Health::tr("%Ln connection(s) were refused (TCP reset or SCTP ABORT), first by %1.", nullptr,
                            plural(refused.count()))
                     .arg(first(refused));
  }
  if (const v1::FailedOpenings& unanswered = totals.unanswered(); unanswered.count() != 0) {
    sentences << Health::tr("%Ln connection(s) were never answered, first by %1.", nullptr, plural(unanswered.count()))
                     .arg(first(unanswered));
  }
  return sentences.join(QLatin1Char(' '));
}

QString partial_sentence(const v1::Status& status) {
  if (!status.replay_cut()) return {};
  const QString read =
      status.replay_progress() > 0
          ? Health::tr("Reading was cancelled at %L1 %.").arg(std::floor(status.replay_progress() * 100))
          : Health::tr("Reading was cancelled.");
  return Health::tr(
             "%1 What follows in the file is not shown. Queue pairs that were open there may be missing their "
             "end.")
      .arg(read);
}

QString no_iwarp_sentence(const v1::Status& status) {
  const v1::Totals& totals = status.totals();
  if (!status.replay() || status.capturing() || totals.qps_opened() != 0) return {};
  if (totals.frames() == 0) return Health::tr("The capture contains no frames.");
  QString text = Health::tr(
      "There is no iWARP in this capture: %Ln frame(s) were read, no TCP connection in them was recognised as MPA, and "
      "no SCTP association carries DDP.",
      nullptr, plural(totals.frames()));
  if (const QString failed = failed_openings(totals); !failed.isEmpty()) text += QLatin1Char(' ') + failed;
  if (totals.cut_frames() != 0) {
    text += QLatin1Char(' ') + Health::tr("Frames are cut. If only headers were captured, iWARP cannot be recognised.");
  }
  if (const auto doubt = totals.findings().find("capture.iwarp-unconfirmed"); doubt != totals.findings().end()) {
    text += QLatin1Char(' ') +
            Health::tr("At least one connection started like iWARP but could not be confirmed: see the findings.");
  }
  return text;
}

}  // namespace iwarpscope::gui
