// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/ladder/ladder_life.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

#include "models/findings/finding_table.h"
#include "models/ladder/ladder_text.h"
#include "models/words.h"

namespace iwarpscope::gui {
namespace {

struct Life {
  Q_DECLARE_TR_FUNCTIONS(Ladder)
};

QString startup_label(const mpa::StartupFrame& frame, bool over_sctp) {
  const QString name = over_sctp         ? frame.reply_key ? Life::tr("Session answer") : Life::tr("Session Initiate")
                               : frame.reply_key ? Life::tr("MPA Reply")
                                         : Life::tr("MPA Request");
  QStringList parts{name};
  if (frame.rejected) parts << Life::tr("rejected");
  if (!over_sctp) parts << Life::tr("Rev %1").arg(frame.revision);
  if (frame.crc) parts << Life::tr("CRC");
  if (frame.markers) parts << Life::tr("markers");
  const auto& depths = frame.enhanced ? frame.enhanced : frame.legacy;
  if (depths && depths->ird != mpa::kDepthNotNegotiated) parts << Life::tr("IRD %1").arg(depths->ird);
  if (depths && depths->ord != mpa::kDepthNotNegotiated) parts << Life::tr("ORD %1").arg(depths->ord);
  return parts.join(QStringLiteral(", "));
}

void add_startup(const std::optional<mpa::StartupFrame>& frame, Direction direction, bool over_sctp,
                 std::vector<LadderLife>& to) {
  if (!frame) return;
  to.push_back({frame->rejected ? LadderLife::Kind::rejected : LadderLife::Kind::startup, direction, frame->frame,
                frame->time, startup_label(*frame, over_sctp)});
}

/// Octets that came instead of an MPA Reply.
void add_foreign(const std::vector<live::FindingView>& findings, std::vector<LadderLife>& to) {
  for (const live::FindingView& view : findings) {
    const findings::Finding& finding = view.finding;
    if (finding.id != findings::FindingId::mpa_reply_key_wrong || !finding.direction) continue;
    const FindingPlace place = place_of(view);
    if (std::any_of(to.begin(), to.end(), [&](const LadderLife& life) { return life.frame == place.frame; })) continue;
    to.push_back({LadderLife::Kind::foreign, *finding.direction, place.frame, place.time,
                  Life::tr("Not an MPA Reply: %1").arg(QString::fromStdString(finding.seen))});
  }
}

void add_unfinished(const qp::DirectionSummary& end, Direction direction, std::vector<LadderLife>& to) {
  if (!end.inside_fpdu) return;
  const mpa::PendingFpdu& fpdu = *end.inside_fpdu;
  const QString came = number_text(fpdu.octets);
  to.push_back({LadderLife::Kind::unfinished, direction, fpdu.frame, fpdu.time,
                fpdu.ulpdu_length == 0 ? Life::tr("FPDU, not finished, %1 octets captured").arg(came)
                                       : Life::tr("FPDU, not finished, ULPDU_Length %1, %2 octets captured")
                                             .arg(number_text(fpdu.ulpdu_length), came)});
}

}  // namespace

std::vector<LadderLife> life_of(const qp::QpRecord& record, bool with_end,
                                const std::vector<live::FindingView>& findings) {
  using Kind = LadderLife::Kind;
  const bool over_sctp = record.sctp_stream.has_value();
  std::vector<LadderLife> life;
  const auto& ends = record.summary.directions;
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const qp::Moment &own = ends[index(d)].syn, &other = ends[index(opposite(d))].syn;
    if (!own.happened()) continue;
    // Alone, that of A is the SYN: A opens the connection.
    const bool answers = other.happened() ? other.frame < own.frame : d == Direction::b_to_a;
    QString label = answers ? Life::tr("TCP SYN-ACK") : Life::tr("TCP SYN");
    if (over_sctp) label = ends[index(d)].init_ack ? Life::tr("SCTP INIT ACK") : Life::tr("SCTP INIT");
    life.push_back({Kind::syn, d, own.frame, own.time, label});
  }
  if (record.startup) {
    add_startup(record.startup->request, Direction::a_to_b, over_sctp, life);
    add_startup(record.startup->reply, Direction::b_to_a, over_sctp, life);
  }
  if (const auto& banner = record.summary.banner) {
    life.push_back({Kind::foreign, Direction::b_to_a, banner->at.frame, banner->at.time,
                    Life::tr("Before the MPA Request: %1").arg(QString::fromStdString(banner->octets))});
  }
  add_foreign(findings, life);
  for (const Direction d : {Direction::a_to_b, Direction::b_to_a}) {
    const qp::DirectionSummary& end = ends[index(d)];
    add_unfinished(end, d, life);
    if (with_end && end.fin.happened()) {
      life.push_back(
          {Kind::end, d, end.fin.frame, end.fin.time, over_sctp ? Life::tr("Session end") : Life::tr("TCP FIN")});
    }
    if (with_end && end.rst.happened()) {
      life.push_back(
          {Kind::reset, d, end.rst.frame, end.rst.time, over_sctp ? Life::tr("SCTP ABORT") : Life::tr("TCP RST")});
    }
  }
  std::erase_if(life, [](const LadderLife& one) { return one.frame.value == 0; });
  std::stable_sort(life.begin(), life.end(), [](const auto& a, const auto& b) { return a.frame < b.frame; });
  return life;
}

QString life_details(const LadderLife& life, TimePoint start) {
  return Life::tr("%1, frame %2, from %3, %4 s")
      .arg(life.label)
      .arg(life.frame.value)
      .arg(life.direction == Direction::a_to_b ? QStringLiteral("A") : QStringLiteral("B"),
           ladder_time(start, life.time));
}

}  // namespace iwarpscope::gui
