#include "models/log_table.h"

#include <QtGlobal>

#include <array>

namespace iwarpscope::gui {
namespace {

using enum LogHint;

constexpr auto kEntries = std::to_array<LogEntry>({
    // siw, as it receives
    {"siw", R"(siw: got TERMINATE\. layer (?<layer>\d+), type (?<type>\d+), code (?<code>\d+))",
     QT_TRANSLATE_NOOP("LogTable", "The other end sent a Terminate and gave up the connection."), "QP-02", failed},
    {"siw", R"(siw: rx bogus TERM \[)",
     QT_TRANSLATE_NOOP("LogTable", "A Terminate came on the wrong queue or with a wrong MSN or MO."), "RM-18 DD-07",
     failed},
    {"siw", R"(siw: crc error\. in: [0-9a-f]{8}, own [0-9a-f]{8}, op \d+)",
     QT_TRANSLATE_NOOP("LogTable",
                       "The CRC of an FPDU that was received does not match its octets: they changed on the way, or "
                       "the sender computed it wrongly. This end then sends a Terminate."),
     "MF-04 MF-19 QP-02", failed},
    {"siw", R"(siw: \[QP \d+\]: rresp stag: (?<stag>[0-9a-f]{8}) != [0-9a-f]{8})",
     QT_TRANSLATE_NOOP("LogTable", "A Read Response names another STag than the Read Request that it answers."),
     "RM-10", failed},
    {"siw", R"(siw: \[QP \d+\]: rresp off: [0-9a-f]{16} != [0-9a-f]{16})",
     QT_TRANSLATE_NOOP("LogTable", "A Read Response has another Tagged Offset than its Read Request asked for."),
     "RM-11", failed},
    {"siw", R"(siw: \[QP \d+\]: rresp len: \d+ != \d+)",
     QT_TRANSLATE_NOOP("LogTable", "A Read Response has another length than its Read Request asked for."), "RM-12",
     failed},
    {"siw", R"(siw: \[QP \d+\]: write stag: (?<stag>[0-9a-f]{8}) != [0-9a-f]{8})",
     QT_TRANSLATE_NOOP("LogTable", "The STag changed inside an RDMA Write."), "DD-16", failed},
    {"siw", R"(siw: \[QP \d+\]: write off: [0-9a-f]{16} != [0-9a-f]{16})",
     QT_TRANSLATE_NOOP("LogTable", "The Tagged Offsets inside an RDMA Write do not follow each other."), "DD-17",
     failed},
    {"siw", R"(siw: \[QP \d+\]: invalid ddp qn \d+ for send)",
     QT_TRANSLATE_NOOP("LogTable", "A Send came on another queue than queue 0."), "RM-05 DD-05", failed},
    {"siw", R"(siw: \[QP \d+\]: send msn: \d+ != \d+)",
     QT_TRANSLATE_NOOP("LogTable", "The MSN of a Send skips or repeats a number."), "DD-07 DD-06", failed},
    {"siw", R"(siw: \[QP \d+\], send mo: \d+ != \d+)",
     QT_TRANSLATE_NOOP("LogTable", "The MO of a Send does not follow what came before it."), "DD-11 DD-10", failed},
    {"siw", R"(siw: \[QP \d+\]: rreq with mpa len \d+)",
     QT_TRANSLATE_NOOP("LogTable", "A Read Request carries octets after its header."), "RM-07", failed},
    {"siw", R"(siw: \[QP \d+\]: irq \d+ exceeded \d+)",
     QT_TRANSLATE_NOOP("LogTable",
                       "The other end sent more RDMA Read Requests than may be outstanding here: more than this end's "
                       "IRD."),
     "RM-17 AT-13 MS-30", failed},
    {"siw", R"(siw: \[QP \d+\]: ORQ empty at idx \d+)",
     QT_TRANSLATE_NOOP("LogTable", "A Read Response came that nobody had asked for."), "RM-09", failed},
    {"siw", R"(siw: received ddp version unsupported \d+)",
     QT_TRANSLATE_NOOP("LogTable", "The DDP version of a DDP segment is not 1."), "DD-03 DD-02", failed},
    {"siw", R"(siw: received rdmap version unsupported \d+)",
     QT_TRANSLATE_NOOP("LogTable", "The RDMAP version of a message is not 1."), "RM-01 AT-16", failed},
    {"siw", R"(siw: received unknown packet type \d+)",
     QT_TRANSLATE_NOOP("LogTable",
                       "An RDMAP opcode that this end does not know: an atomic or Immediate Data, perhaps."),
     "RM-03 AT-18", failed},
    {"siw", R"(siw: packet intersection: \d+ : \d+)",
     QT_TRANSLATE_NOOP("LogTable", "A message began while another one of its kind was not at its end."),
     "DD-19 DD-20 DD-21", failed},
    // siw, while it connects: debug messages
    {"siw", R"(reject: crc \d:\d:\d, m \d:\d)",
     QT_TRANSLATE_NOOP("LogTable",
                       "This end rejects the MPA Request: its CRC or marker setting is not what this end is set to, or "
                       "its private data is too short. The digits are: CRC asked, required and strict here; markers "
                       "asked."),
     "QP-01 MS-10 MS-37", refused},
    {"siw", R"(reply unsupp: crc \d:\d:\d, m \d:\d)",
     QT_TRANSLATE_NOOP("LogTable",
                       "The MPA Reply asks for markers, or for a CRC setting that this end does not allow. The digits "
                       "are: CRC in the Reply, required and strict here; markers in the Reply."),
     "MS-37 MS-20", refused},
    {"siw", R"(mpa reply error: vers \d+, enhcd \d)",
     QT_TRANSLATE_NOOP("LogTable", "The MPA Reply to an enhanced Request is not an enhanced one of revision 2."),
     "MS-17 MS-18", refused},
    {"siw", R"(rtr mode: +req +[0-9a-f]+, got +[0-9a-f]+)",
     QT_TRANSLATE_NOOP("LogTable",
                       "The MPA Reply offers none of the RTR messages that this end asked for; it sends a Terminate."),
     "MS-27 MS-24 MS-28 QP-02", failed},
    // cxgb4
    {"cxgb4", R"(RTR mismatch, sending TERM)",
     QT_TRANSLATE_NOOP(
         "LogTable",
         "The MPA Reply does not offer the RTR message that this end sends, or does not echo peer-to-peer "
         "mode; it sends a Terminate."),
     "MS-27 MS-24 MS-28 QP-02", failed},
    {"cxgb4", R"(Insufficient IRD, sending TERM)",
     QT_TRANSLATE_NOOP(
         "LogTable",
         "The read depths of the MPA Reply do not fit this end's: its ORD is above this end's IRD, or its "
         "IRD below this end's ORD. This end sends a Terminate."),
     "MS-30 MS-31 QP-02", failed},
    {"cxgb4", R"(mpa_rev=\d+\. Retrying with mpav1)",
     QT_TRANSLATE_NOOP("LogTable",
                       "The other end closed the connection after an MPA Request of revision 2; this end tries again "
                       "with revision 1, without enhanced connection setup."),
     "MS-20 MS-22 TC-06", refused},
    {"cxgb4", R"(TERM received tid \d+ no ep/qp)",
     QT_TRANSLATE_NOOP("LogTable", "A Terminate came for a connection that this end has already given up."), "QP-02",
     failed},
    {"cxgb4", R"(\bAE (?:cqid 0x[0-9a-f]+ )?qpid 0x[0-9a-f]+ opcode \d+ status 0x(?<status>[0-9a-f]+))",
     QT_TRANSLATE_NOOP("LogTable", "The adapter reports an error of a queue pair."), "QP-02", failed},
    {"cxgb4", R"(Unexpected cqe_status 0x(?<status>[0-9a-f]+) for QPID=0x[0-9a-f]+)",
     QT_TRANSLATE_NOOP("LogTable", "The adapter completed a work request with an error."), "QP-02", failed},
    // irdma
    {"irdma", R"(abnormal ae_id = 0x(?<ae>[0-9a-f]+) bool qp=\d+ qp_id = \d+)",
     QT_TRANSLATE_NOOP("LogTable", "The adapter reports an asynchronous event of a queue pair."), "", failed},
    {"irdma", R"(Unexpected MPA Key received)",
     QT_TRANSLATE_NOOP(
         "LogTable",
         "What came first on the connection is no MPA startup frame: another program speaks on this port, "
         "or both ends sent a Request."),
     "MS-01 MS-02 MS-03", refused},
    // qedr and qed
    {"qedr", R"(QP error received: QED_IWARP_EVENT_RQ_EMPTY)",
     QT_TRANSLATE_NOOP("LogTable", "A Send came and no receive buffer was posted for it."), "QP-02 SX-08", failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_IRQ_FULL)",
     QT_TRANSLATE_NOOP("LogTable", "The other end sent more RDMA Read Requests than this end's IRD allows."),
     "RM-17 AT-13", failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_LLP_TIMEOUT)",
     QT_TRANSLATE_NOOP("LogTable", "TCP gave the connection up: the other end did not acknowledge for too long."),
     "TC-03 TC-05 TC-06", failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_REMOTE_PROTECTION_ERROR)",
     QT_TRANSLATE_NOOP(
         "LogTable",
         "A message named memory that it may not touch: a wrong STag, an offset out of bounds, or a right "
         "that is missing."),
     "QP-02 SX-03 RM-35", failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_REMOTE_OPERATION_ERROR)",
     QT_TRANSLATE_NOOP("LogTable", "A message could not be carried out as the protocol has it."), "QP-02", failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_LOCAL_ACCESS_ERROR)",
     QT_TRANSLATE_NOOP("LogTable", "A work request of this host named memory that it may not touch."), "QP-02", failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_QP_CATASTROPHIC)",
     QT_TRANSLATE_NOOP("LogTable", "The adapter gave the queue pair up after an error inside this host."), "QP-02",
     failed},
    {"qedr", R"(QP error received: QED_IWARP_EVENT_CQ_OVERFLOW)",
     QT_TRANSLATE_NOOP("LogTable",
                       "A completion queue of this host was full: nothing on the wire is wrong, its size is."),
     "", failed},
    {"qedr", R"(qedr.*Got terminate message)", QT_TRANSLATE_NOOP("LogTable", "The other end sent a Terminate."),
     "QP-02", failed},
    {"qed", R"(\(0x[0-9a-f]+\) MPA not supported VER)",
     QT_TRANSLATE_NOOP("LogTable", "The MPA revision of the other end's startup frame is not supported here."),
     "MS-07 MS-19", refused},
    {"qed", R"(\(0x[0-9a-f]+\) MPA Invalid Packet)",
     QT_TRANSLATE_NOOP("LogTable", "The other end's MPA startup frame is malformed."), "MS-01 MS-02 MS-11 MS-12",
     refused},
    {"qed", R"(\(0x[0-9a-f]+\) TCP timeout)",
     QT_TRANSLATE_NOOP("LogTable", "The other end did not answer while the TCP connection was made."), "SX-10 PM-01",
     refused},
    // Upper layers
    {"nvme", R"(nvme.*Connect rejected: status -?\d+ \()",
     QT_TRANSLATE_NOOP("LogTable",
                       "The NVMe target rejected the connection; its reason is in the private data of the MPA Reply."),
     "QP-01 MS-22", refused},
    {"nvme", R"(nvme\S* nvme\d+: I/O \d+ QID \d+ timeout$)",
     QT_TRANSLATE_NOOP(
         "LogTable",
         "An NVMe command was not answered in time. On the wire: a request without its response, a closed "
         "window, or losses."),
     "RM-16 TC-05 TC-03", stalled},
    {"nvme", R"(\w+ for CQE 0x\S+ failed with status [^(]+\(\d+\))",
     QT_TRANSLATE_NOOP("LogTable",
                       "The adapter completed a work request of NVMe over RDMA with the error that the line names."),
     "QP-02 QP-03 TC-06", failed},
    {"xprtrdma", R"(rpcrdma: connection to \S+ rejected: )",
     QT_TRANSLATE_NOOP("LogTable", "The NFS server rejected the RDMA connection."), "QP-01 MS-22", refused},
    {"cifs", R"(CIFS: VFS: RDMA transport re-established)",
     QT_TRANSLATE_NOOP("LogTable",
                       "The SMB client had lost its RDMA connection and made another one: the one before it failed."),
     "QP-02 QP-03 TC-06", failed},
    {"SMBDirect", R"(A connection has been terminated because no pending requests to network adapter)",
     QT_TRANSLATE_NOOP("LogTable",
                       "SMB Direct gave the connection up because nothing it had asked for came to its end in time: "
                       "the other end hangs, octets are lost, or send credits are used up."),
     "RM-16 TC-05 TC-03", stalled},
    {"SMBDirect", R"(Failed to negotiate a common SMB Direct version)",
     QT_TRANSLATE_NOOP("LogTable", "The connection stands, but the ends of SMB Direct have no version in common."), "",
     failed},
});

constexpr auto kIrdma = std::to_array<LogCode>({
    {0x0102, "AMP_UNALLOCATED_STAG", QT_TRANSLATE_NOOP("LogTable", "an STag that is not in use"), "QP-02 RM-35 SX-02"},
    {0x0103, "AMP_INVALID_STAG", QT_TRANSLATE_NOOP("LogTable", "an STag that is invalid"), "QP-02 RM-35 SX-02"},
    {0x0104, "AMP_BAD_QP", QT_TRANSLATE_NOOP("LogTable", "an STag of another queue pair"), "QP-02 SX-01"},
    {0x0105, "AMP_BAD_PD", QT_TRANSLATE_NOOP("LogTable", "an STag of another protection domain"), "QP-02 SX-01"},
    {0x0106, "AMP_BAD_STAG_KEY", QT_TRANSLATE_NOOP("LogTable", "an STag with a wrong key"), "QP-02 SX-02 RM-35"},
    {0x0107, "AMP_BAD_STAG_INDEX", QT_TRANSLATE_NOOP("LogTable", "an STag that does not exist"), "QP-02 SX-02"},
    {0x0108, "AMP_BOUNDS_VIOLATION", QT_TRANSLATE_NOOP("LogTable", "an offset outside of the STag's memory"),
     "QP-02 SX-03"},
    {0x0109, "AMP_RIGHTS_VIOLATION", QT_TRANSLATE_NOOP("LogTable", "an access that the STag's memory does not allow"),
     "QP-02"},
    {0x010a, "AMP_TO_WRAP", QT_TRANSLATE_NOOP("LogTable", "a Tagged Offset that wraps"), "QP-02 DD-18 RM-08"},
    {0x0201, "BAD_CLOSE", QT_TRANSLATE_NOOP("LogTable", "a close with something left to do"), "MF-14 DD-21"},
    {0x0202, "RDMAP_ROE_BAD_LLP_CLOSE", QT_TRANSLATE_NOOP("LogTable", "a close of TCP with something left to do"),
     "MF-14 DD-21"},
    {0x0205, "RDMA_READ_WHILE_ORD_ZERO", QT_TRANSLATE_NOOP("LogTable", "an RDMA Read although this end's ORD is 0"),
     "MS-35 RM-17"},
    {0x0206, "STAG_ZERO_INVALID", QT_TRANSLATE_NOOP("LogTable", "an STag of 0 where none may be"), "QP-02 RM-40"},
    {0x0207, "IB_RREQ_AND_Q1_FULL", QT_TRANSLATE_NOOP("LogTable", "more RDMA Read Requests than this end's IRD allows"),
     "RM-17 AT-13"},
    {0x0301, "DDP_INVALID_MSN_GAP_IN_MSN", QT_TRANSLATE_NOOP("LogTable", "an MSN that skips or repeats a number"),
     "DD-07 DD-06"},
    {0x0303, "DDP_UBE_DDP_MESSAGE_TOO_LONG_FOR_AVAILABLE_BUFFER",
     QT_TRANSLATE_NOOP("LogTable", "a Send that is longer than the buffer that was posted for it"), "QP-02 DD-14"},
    {0x0304, "DDP_UBE_INVALID_DDP_VERSION", QT_TRANSLATE_NOOP("LogTable", "a DDP version other than 1"), "DD-03"},
    {0x0305, "DDP_UBE_INVALID_MO", QT_TRANSLATE_NOOP("LogTable", "an MO that does not follow what came before it"),
     "DD-11 DD-10"},
    {0x0306, "DDP_UBE_INVALID_MSN_NO_BUFFER_AVAILABLE",
     QT_TRANSLATE_NOOP("LogTable", "a Send for which no buffer was posted"), "QP-02"},
    {0x0307, "DDP_UBE_INVALID_QN", QT_TRANSLATE_NOOP("LogTable", "a queue number that does not exist"), "DD-05"},
    {0x0308, "DDP_NO_L_BIT", QT_TRANSLATE_NOOP("LogTable", "a DDP segment without the Last flag where it must be"),
     "DD-13"},
    {0x0311, "RDMAP_ROE_INVALID_RDMAP_VERSION", QT_TRANSLATE_NOOP("LogTable", "an RDMAP version other than 1"),
     "RM-01"},
    {0x0312, "RDMAP_ROE_UNEXPECTED_OPCODE", QT_TRANSLATE_NOOP("LogTable", "an RDMAP opcode that was not expected"),
     "RM-03 RM-04 RM-09"},
    {0x0313, "ROE_INVALID_RDMA_READ_REQUEST", QT_TRANSLATE_NOOP("LogTable", "a Read Request that is malformed"),
     "RM-07"},
    {0x0314, "ROE_INVALID_RDMA_WRITE_OR_READ_RESP",
     QT_TRANSLATE_NOOP("LogTable", "an RDMA Write or Read Response that is wrong"), "RM-10 RM-11 RM-12 DD-17"},
    {0x0402, "INVALID_TCP_OPTION_RCVD", QT_TRANSLATE_NOOP("LogTable", "a TCP option that is not allowed"), ""},
    {0x0502, "LLP_CONNECTION_RESET", QT_TRANSLATE_NOOP("LogTable", "a reset of the TCP connection by the other end"),
     "TC-06 QP-03 RM-33"},
    {0x0504, "LLP_RECEIVED_MARKER_AND_LENGTH_FIELDS_DONT_MATCH",
     QT_TRANSLATE_NOOP("LogTable", "a marker that does not point to the FPDU's length"), "MF-11 MF-13"},
    {0x0505, "LLP_RECEIVED_MPA_CRC_ERROR",
     QT_TRANSLATE_NOOP("LogTable", "a CRC that does not match the octets of its FPDU"), "MF-04 MF-19"},
    {0x0507, "LLP_SEGMENT_TOO_SMALL", QT_TRANSLATE_NOOP("LogTable", "a TCP segment that is too small"), "MF-22"},
    {0x0509, "LLP_TERMINATE_RECEIVED", QT_TRANSLATE_NOOP("LogTable", "a Terminate of the other end"), "QP-02"},
    {0x050a, "LLP_TOO_MANY_RETRIES",
     QT_TRANSLATE_NOOP("LogTable", "too many retransmissions without an answer of the other end"), "TC-03 TC-05"},
    {0x050b, "LLP_TOO_MANY_KEEPALIVE_RETRIES",
     QT_TRANSLATE_NOOP("LogTable", "keep-alives that the other end did not answer"), "TC-03"},
    {0x050c, "LLP_DOUBT_REACHABILITY",
     QT_TRANSLATE_NOOP("LogTable", "doubts whether the other end can still be reached"), "TC-03"},
    {0x0601, "RESET_SENT", QT_TRANSLATE_NOOP("LogTable", "a reset that this end sent"), "TC-06 QP-03"},
    {0x0602, "TERMINATE_SENT", QT_TRANSLATE_NOOP("LogTable", "a Terminate that this end sent"), "QP-02"},
    {0x0700, "LCE_QP_CATASTROPHIC", QT_TRANSLATE_NOOP("LogTable", "an error inside the adapter"), ""},
});

constexpr auto kCxgb4 = std::to_array<LogCode>({
    {0x01, "T4_ERR_STAG", QT_TRANSLATE_NOOP("LogTable", "an STag that is invalid, 0, or has a wrong key"),
     "QP-02 RM-35 SX-02"},
    {0x02, "T4_ERR_PDID", QT_TRANSLATE_NOOP("LogTable", "an STag of another protection domain"), "QP-02 SX-01"},
    {0x03, "T4_ERR_QPID", QT_TRANSLATE_NOOP("LogTable", "an STag of another queue pair"), "QP-02 SX-01"},
    {0x04, "T4_ERR_ACCESS", QT_TRANSLATE_NOOP("LogTable", "an access that the STag's memory does not allow"), "QP-02"},
    {0x05, "T4_ERR_WRAP", QT_TRANSLATE_NOOP("LogTable", "a Tagged Offset that wraps"), "QP-02 DD-18 RM-08"},
    {0x06, "T4_ERR_BOUND", QT_TRANSLATE_NOOP("LogTable", "an offset outside of the STag's memory"), "QP-02 SX-03"},
    {0x07, "T4_ERR_INVALIDATE_SHARED_MR",
     QT_TRANSLATE_NOOP("LogTable", "an attempt to invalidate memory that is shared"), "QP-02"},
    {0x08, "T4_ERR_INVALIDATE_MR_WITH_MW_BOUND",
     QT_TRANSLATE_NOOP("LogTable", "an attempt to invalidate memory with windows bound to it"), "QP-02"},
    {0x0C, "T4_ERR_SWFLUSH",
     QT_TRANSLATE_NOOP("LogTable", "a work request that was given up with its queue pair: what came before it counts"),
     ""},
    {0x10, "T4_ERR_CRC", QT_TRANSLATE_NOOP("LogTable", "a CRC that does not match the octets of its FPDU"),
     "MF-04 MF-19"},
    {0x11, "T4_ERR_MARKER", QT_TRANSLATE_NOOP("LogTable", "a wrong marker"), "MF-06 MF-11 MF-13"},
    {0x12, "T4_ERR_PDU_LEN_ERR", QT_TRANSLATE_NOOP("LogTable", "an FPDU with an invalid length"), "MF-01 DD-01"},
    {0x13, "T4_ERR_OUT_OF_RQE", QT_TRANSLATE_NOOP("LogTable", "a Send for which no buffer was posted"), "QP-02"},
    {0x14, "T4_ERR_DDP_VERSION", QT_TRANSLATE_NOOP("LogTable", "a DDP version other than 1"), "DD-03"},
    {0x15, "T4_ERR_RDMA_VERSION", QT_TRANSLATE_NOOP("LogTable", "an RDMAP version other than 1"), "RM-01"},
    {0x16, "T4_ERR_OPCODE", QT_TRANSLATE_NOOP("LogTable", "an RDMAP opcode that is invalid"), "RM-03 RM-04"},
    {0x17, "T4_ERR_DDP_QUEUE_NUM", QT_TRANSLATE_NOOP("LogTable", "a queue number that is invalid"), "DD-05 RM-05"},
    {0x18, "T4_ERR_MSN", QT_TRANSLATE_NOOP("LogTable", "a wrong MSN"), "DD-07 DD-06"},
    {0x19, "T4_ERR_TBIT", QT_TRANSLATE_NOOP("LogTable", "a Tagged flag that does not fit the opcode"), "RM-04"},
    {0x1A, "T4_ERR_MO", QT_TRANSLATE_NOOP("LogTable", "an MO other than 0 in a Terminate or Read Request"),
     "DD-10 DD-11"},
    {0x1B, "T4_ERR_MSN_GAP", QT_TRANSLATE_NOOP("LogTable", "an MSN that skips a number"), "DD-07"},
    {0x1C, "T4_ERR_MSN_RANGE", QT_TRANSLATE_NOOP("LogTable", "an MSN out of range"), "DD-07"},
    {0x1D, "T4_ERR_IRD_OVERFLOW", QT_TRANSLATE_NOOP("LogTable", "more RDMA Read Requests than this end's IRD allows"),
     "RM-17 AT-13"},
    {0x1F, "T4_ERR_INTERNAL_ERR", QT_TRANSLATE_NOOP("LogTable", "an error inside the adapter"), ""},
});

}  // namespace

std::span<const LogEntry> log_entries() noexcept {
  return kEntries;
}

std::span<const LogCode> irdma_events() noexcept {
  return kIrdma;
}

std::span<const LogCode> cxgb4_statuses() noexcept {
  return kCxgb4;
}

}  // namespace iwarpscope::gui
