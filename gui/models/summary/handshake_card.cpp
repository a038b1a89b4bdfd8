// SPDX-FileCopyrightText: The iwarpscope authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "models/summary/handshake_card.h"

#include <QCoreApplication>
#include <QStringList>

#include <functional>

#include "base/wording.h"
#include "models/words.h"
#include "mpa/startup_frame_view.h"
#include "report/human.h"
#include "ulp/private_data.h"

namespace iwarpscope::gui {
namespace {

using Frame = mpa::StartupFrame;
using Difference = HandshakeCard::Difference;

class Handshake {
  Q_DECLARE_TR_FUNCTIONS(Handshake)
};

QString yes(bool value) {
  return value ? Handshake::tr("yes") : Handshake::tr("no");
}
QString text(const std::string& words) {
  return QString::fromStdString(words);
}
const std::optional<mpa::EnhancedData>& depths(const Frame& frame) {
  return frame.enhanced ? frame.enhanced : frame.legacy;
}
QString depth(std::optional<std::uint16_t> value) {
  if (!value) return Handshake::tr("unknown");
  if (*value == mpa::kDepthNotNegotiated) return Handshake::tr("not negotiated");
  return number_text(*value);
}

QString revision(const Frame& frame) {
  switch (frame.revision) {
    case 0: return Handshake::tr("0 (RDMA Consortium)");
    case 1: return Handshake::tr("1 (RFC 5044)");
    case 2: return Handshake::tr("2 (RFC 6581)");
    default: return Handshake::tr("%1 (unknown)").arg(frame.revision);
  }
}

QString offered_rtr(const Frame& frame) {
  if (!frame.enhanced) return Handshake::tr("not stated");
  QStringList kinds;
  if (frame.enhanced->rtr_send) kinds << Handshake::tr("Send");
  if (frame.enhanced->rtr_write) kinds << Handshake::tr("Write");
  if (frame.enhanced->rtr_read) kinds << Handshake::tr("Read");
  return kinds.isEmpty() ? Handshake::tr("none") : kinds.join(Handshake::tr(", "));
}

/// Builds rows. Knows whether both frames were seen.
class Fields {
 public:
  Fields(HandshakeCard& card, const qp::StartupRecord& startup) : card_(card), startup_(startup) {}
  HandshakeCard::Field& add(const QString& label, const QString& meaning,
                            const std::function<QString(const Frame&)>& words, bool compare = true) {
    const auto cell = [&](const std::optional<Frame>& frame) {
      return frame ? words(*frame) : Handshake::tr("not seen");
    };
    HandshakeCard::Field field{label, meaning, cell(startup_.request), cell(startup_.reply), Difference::same, {}};
    if (compare && startup_.request && startup_.reply && field.request != field.reply) {
      field.difference = Difference::differs;
    }
    card_.fields.push_back(std::move(field));
    return card_.fields.back();
  }

 private:
  HandshakeCard& card_;
  const qp::StartupRecord& startup_;
};

void add_rejection(Fields& fields, const qp::StartupRecord& startup, const QString& label) {
  auto& rejects = fields.add(
      label, Handshake::tr("The Responder rejects the connection."), [](const Frame& f) { return yes(f.rejected); },
      false);
  if (startup.request && startup.reply && startup.reply->rejected) {
    rejects.difference = Difference::conflict;
    rejects.remark =
        Handshake::tr("The Responder rejected the connection. Look for the reason in its private data and its log.");
  }
}

void add_enhanced(Fields& fields, const QString& label) {
  auto& enhanced = fields.add(
      label, Handshake::tr("The private data begins with four octets of read depths and RTR flags (RFC 6581)."),
      [](const Frame& f) { return yes(f.enhanced_flag); });
  if (enhanced.difference == Difference::differs) {
    enhanced.difference = Difference::conflict;
    enhanced.remark = Handshake::tr("One end negotiates read depths, but the other does not support it.");
  }
}

/// For session control messages over SCTP.
void add_code(Fields& fields, const qp::StartupRecord& startup) {
  fields.add(
      Handshake::tr("Function code"), Handshake::tr("Which session control message this is (RFC 5043, RFC 6581)."),
      [](const Frame& f) { return number_text(f.function_code); }, false);
  add_rejection(fields, startup, Handshake::tr("Rejected"));
  add_enhanced(fields, Handshake::tr("Enhanced"));
}

void add_flags(Fields& fields, const qp::StartupRecord& startup) {
  auto& key = fields.add(
      Handshake::tr("Key"),
      Handshake::tr("The text at the start of the frame. It identifies the frame as MPA Request or Reply."),
      [](const Frame& f) { return text(escaped(f.key)); }, false);
  if ((startup.request && !startup.request->key_exact) || (startup.reply && !startup.reply->key_exact)) {
    key.difference = Difference::conflict;
    key.remark = Handshake::tr("It must be \"%1\" in the Request and \"%2\" in the Reply.")
                     .arg(text(escaped(mpa::kRequestKey)), text(escaped(mpa::kReplyKey)));
  }
  auto& version = fields.add(Handshake::tr("Revision"), Handshake::tr("MPA revision that this end uses."), revision);
  if (version.difference == Difference::differs) {
    version.difference = Difference::conflict;
    version.remark = Handshake::tr("The ends use different revisions: at most the lower one can be used.");
  }
  auto& markers = fields.add(
      Handshake::tr("Markers (M)"),
      Handshake::tr("This end wants to receive a marker every 512 octets, to find FPDUs again after a loss."),
      [](const Frame& f) { return f.markers ? Handshake::tr("wanted") : Handshake::tr("not wanted"); });
  if (markers.difference == Difference::differs) {
    markers.remark = Handshake::tr("The directions are independent: markers are sent only to the end that wants them.");
  }
  auto& crc = fields.add(Handshake::tr("CRC (C)"), Handshake::tr("This end wants every FPDU to carry a CRC32C."),
                         [](const Frame& f) { return f.crc ? Handshake::tr("wanted") : Handshake::tr("not wanted"); });
  if (crc.difference == Difference::differs) {
    crc.remark = Handshake::tr("One end is enough: if one end wants CRCs, both directions use them.");
  }
  add_rejection(fields, startup, Handshake::tr("Rejected (R)"));
  add_enhanced(fields, Handshake::tr("Enhanced (S)"));
}

void add_depths(Fields& fields, const qp::StartupRecord& startup) {
  const auto ird = [](const Frame& f) { return depths(f) ? depth(depths(f)->ird) : Handshake::tr("not stated"); };
  const auto ord = [](const Frame& f) { return depths(f) ? depth(depths(f)->ord) : Handshake::tr("not stated"); };
  auto& takes = fields.add(
      Handshake::tr("IRD"),
      Handshake::tr("Number of RDMA Read Requests that this end can accept at a time (Inbound RDMA Read Queue Depth)."),
      ird, false);
  auto& sends = fields.add(
      Handshake::tr("ORD"),
      Handshake::tr(
          "Number of RDMA Read Requests that this end wants to have outstanding (Outbound RDMA Read Queue Depth)."),
      ord, false);
  Q_UNUSED(takes);
  if (!startup.request || !startup.reply || !depths(*startup.request) || !depths(*startup.reply)) return;
  const mpa::EnhancedData& asked = *depths(*startup.request);
  const mpa::EnhancedData& answered = *depths(*startup.reply);
  const auto is_less = [](std::uint16_t ird_value, std::uint16_t ord_value) {
    return ird_value != mpa::kDepthNotNegotiated && ord_value != mpa::kDepthNotNegotiated && ird_value < ord_value;
  };
  if (is_less(answered.ird, asked.ord)) {
    sends.difference = Difference::conflict;
    sends.remark = Handshake::tr(
                       "The Responder accepts %1 at a time, fewer than the %2 that the Initiator wants: the Initiator "
                       "must not exceed %1.")
                       .arg(depth(answered.ird), depth(asked.ord));
  } else if (is_less(asked.ird, answered.ord)) {
    sends.difference = Difference::conflict;
    sends.remark =
        Handshake::tr("The Initiator accepts %1 at a time, fewer than the %2 that the Responder wants to send.")
            .arg(depth(asked.ird), depth(answered.ord));
  } else if (answered.ord != mpa::kDepthNotNegotiated && asked.ird != answered.ord) {
    sends.remark = Handshake::tr("Compare the ORD of one end with the IRD of the other: they fit.");
  }
}

void add_fields(HandshakeCard& card, const qp::StartupRecord& startup) {
  Fields fields(card, startup);
  fields.add(
      Handshake::tr("Frame"), Handshake::tr("Number of the frame in which the message was complete."),
      [](const Frame& f) { return number_text(f.frame.value); }, false);
  fields.add(
      Handshake::tr("Time (UTC)"), Handshake::tr("Time at which the message was complete at the tap."),
      [](const Frame& f) { return text(report::time_of_day(f.time)); }, false);
  const Frame& any = startup.request ? *startup.request : *startup.reply;
  if (any.function_code != 0) {
    add_code(fields, startup);
  } else {
    add_flags(fields, startup);
  }
  add_depths(fields, startup);
  fields.add(
      Handshake::tr("Peer-to-peer (A)"),
      Handshake::tr("The Initiator sends a Ready to Receive message first, so that the Responder may send before "
                    "the application does."),
      [](const Frame& f) { return f.enhanced ? yes(f.enhanced->peer_to_peer) : Handshake::tr("not stated"); });
  auto& rtr = fields.add(Handshake::tr("RTR types"),
                         Handshake::tr("Types of message that can be the Ready to Receive message."), offered_rtr);
  if (rtr.difference == Difference::differs) {
    rtr.remark = Handshake::tr("The Responder chooses from the types that the Initiator offers.");
  }
  fields.add(
      Handshake::tr("Private data"), Handshake::tr("Data for the upper layer: the application reads it, MPA does not."),
      [](const Frame& f) { return text(ulp::private_data_words(f.private_data)); }, false);
}

QString setting(std::optional<bool> on, bool inferred) {
  if (!on) return Handshake::tr("unknown");
  if (inferred) return *on ? Handshake::tr("on (inferred)") : Handshake::tr("off (inferred)");
  return *on ? Handshake::tr("on") : Handshake::tr("off");
}

void add_mpa_settings(HandshakeCard& card, const qp::QpRecord& record) {
  const QString crc = setting(record.crc_in_use, record.crc_inferred);
  card.settings.push_back({Handshake::tr("CRC"), Handshake::tr("FPDUs carry a CRC32C."), crc, crc});
  card.settings.push_back({Handshake::tr("Markers"), Handshake::tr("The stream of this direction carries markers."),
                           setting(record.markers[0], record.markers_inferred),
                           setting(record.markers[1], record.markers_inferred)});
}

void add_settings(HandshakeCard& card, const qp::QpRecord& record) {
  if (!record.sctp_stream) add_mpa_settings(card, record);
  card.settings.push_back({Handshake::tr("Outstanding reads"),
                           Handshake::tr("RDMA Read Requests that the sender may have outstanding."),
                           depth(record.read_depth[0]), depth(record.read_depth[1])});
  const auto version = [](std::optional<std::uint8_t> value) {
    return value ? number_text(*value) : Handshake::tr("unknown");
  };
  card.settings.push_back({Handshake::tr("DDP version"), Handshake::tr("Version in the DDP headers."),
                           version(record.ddp_version), version(record.ddp_version)});
  card.settings.push_back({Handshake::tr("RDMAP version"), Handshake::tr("Version in the RDMAP headers."),
                           version(record.rdmap_version), version(record.rdmap_version)});
}

void add_sentences(HandshakeCard& card, const qp::QpRecord& record) {
  if (!record.startup || (!record.startup->request && !record.startup->reply)) {
    card.sentences.push_back(record.joined_midstream
                                 ? Handshake::tr("The capture began after the startup. The settings in use were "
                                                 "inferred from the stream, where possible.")
                             : record.sctp_stream ? Handshake::tr("No startup of the session was seen.")
                                                  : Handshake::tr("No MPA startup was seen."));
    return;
  }
  const qp::StartupRecord& startup = *record.startup;
  const bool over_sctp = record.sctp_stream.has_value();
  if (startup.request && startup.reply) {
    const std::int64_t ns = elapsed_ns(startup.request->time, startup.reply->time);
    card.sentences.push_back((over_sctp ? Handshake::tr("The answer came %1 after the Session Initiate.")
                                        : Handshake::tr("The Reply came %1 after the Request."))
                                 .arg(text(report::human_duration(ns))));
  } else if (startup.request) {
    card.sentences.push_back(over_sctp ? Handshake::tr("No answer to the Session Initiate was seen.")
                                       : Handshake::tr("No Reply to the Request was seen."));
  } else {
    card.sentences.push_back(over_sctp ? Handshake::tr("The Session Initiate was not seen, only its answer.")
                                       : Handshake::tr("The Request was not seen, only its Reply."));
  }
  if (startup.rtr) {
    const std::string_view kind = startup.rtr->kind;
    card.sentences.push_back(Handshake::tr("The Ready to Receive message is an RDMA %1 in frame %2.")
                                 .arg(kind == "send"    ? Handshake::tr("Send")
                                      : kind == "write" ? Handshake::tr("Write")
                                                        : Handshake::tr("Read"),
                                      number_text(startup.rtr->frame.value)));
  }
  if (record.negotiated) card.sentences.push_back(text(record.negotiated->sentence));
}

}  // namespace

HandshakeCard handshake_card(const qp::QpRecord& record) {
  HandshakeCard card;
  const auto end = [](const net::Endpoint& e) { return text(e.text()); };
  const bool over_sctp = record.sctp_stream.has_value();
  card.request_from = (over_sctp ? Handshake::tr("Session Initiate from A, the active side\n%1")
                                 : Handshake::tr("Request from A, the Initiator\n%1"))
                          .arg(end(record.a));
  card.reply_from = (over_sctp ? Handshake::tr("Answer from B, the passive side\n%1")
                               : Handshake::tr("Reply from B, the Responder\n%1"))
                        .arg(end(record.b));
  if (record.startup && (record.startup->request || record.startup->reply)) add_fields(card, *record.startup);
  add_settings(card, record);
  add_sentences(card, record);
  return card;
}

QString difference_text(Difference difference) {
  switch (difference) {
    case Difference::differs: return Handshake::tr("≠ differs");
    case Difference::conflict: return Handshake::tr("✗ conflict");
    case Difference::same: break;
  }
  return {};
}

}  // namespace iwarpscope::gui
