<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Health</name>
    <message numerus="yes">
        <source>%n full</source>
        <translation>
            <numerusform>one full</numerusform>
            <numerusform>%n full</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) lost</source>
        <translation>
            <numerusform>1 frame lost</numerusform>
            <numerusform>%Ln frames lost</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln cut</source>
        <translation>
            <numerusform>1 cut</numerusform>
            <numerusform>%Ln cut</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lost</source>
        <translation>
            <numerusform>1 lost</numerusform>
            <numerusform>%Ln lost</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The sensor lost %Ln frame(s) during the lifetime of this queue pair, and %1 of the queue pair are missing. Its verdict and findings may be incomplete.</source>
        <translation>
            <numerusform>The sensor lost 1 frame during the lifetime of this queue pair, and %1 of the queue pair are missing. Its verdict and findings may be incomplete.</numerusform>
            <numerusform>The sensor lost %Ln frames during the lifetime of this queue pair, and %1 of the queue pair are missing. Its verdict and findings may be incomplete.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The sensor lost %Ln frame(s), and %1 are missing. Verdicts and findings may be incomplete.</source>
        <translation>
            <numerusform>The sensor lost 1 frame, and %1 are missing. Verdicts and findings may be incomplete.</numerusform>
            <numerusform>The sensor lost %Ln frames, and %1 are missing. Verdicts and findings may be incomplete.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The snap length cut %Ln frame(s): the missing octets are not checked.</source>
        <translation>
            <numerusform>The snap length cut 1 frame: the missing octets are not checked.</numerusform>
            <numerusform>The snap length cut %Ln frames: the missing octets are not checked.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) have a link type that is not decoded.</source>
        <translation>
            <numerusform>1 frame has a link type that is not decoded.</numerusform>
            <numerusform>%Ln frames have a link type that is not decoded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>There is no iWARP in this capture: %Ln frame(s) were read, no TCP connection in them was recognised as MPA, and no SCTP association carries DDP.</source>
        <translation>
            <numerusform>There is no iWARP in this capture: 1 frame was read, no TCP connection in it was recognised as MPA, and no SCTP association carries DDP.</numerusform>
            <numerusform>There is no iWARP in this capture: %Ln frames were read, no TCP connection in them was recognised as MPA, and no SCTP association carries DDP.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) were refused (TCP reset or SCTP ABORT), first by %1.</source>
        <translation>
            <numerusform>%Ln connection was refused (TCP reset or SCTP ABORT), first by %1.</numerusform>
            <numerusform>%Ln connections were refused (TCP reset or SCTP ABORT), first by %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) were never answered, first by %1.</source>
        <translation>
            <numerusform>%Ln connection was never answered, first by %1.</numerusform>
            <numerusform>%Ln connections were never answered, first by %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln silent</source>
        <translation>
            <numerusform>%1, 1 silent</numerusform>
            <numerusform>%1, %Ln silent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln waiting</source>
        <translation>
            <numerusform>1 waiting</numerusform>
            <numerusform>%Ln waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Html</name>
    <message numerus="yes">
        <source>... and %n more.</source>
        <translation>
            <numerusform>... and one more.</numerusform>
            <numerusform>... and %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>1 message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %Ln more</source>
        <translation>
            <numerusform>%1 and 1 more</numerusform>
            <numerusform>%1 and %Ln more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicUsesModel</name>
    <message numerus="yes">
        <source>The analysis found %n impossible result(s): no earlier operation left the returned value (RFC 7306 §5.3).</source>
        <translation>
            <numerusform>The analysis found one impossible result: no earlier operation left the returned value (RFC 7306 §5.3).</numerusform>
            <numerusform>The analysis found %n impossible results: no earlier operation left the returned value (RFC 7306 §5.3).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicView</name>
    <message numerus="yes">
        <source>&amp;Read %n other queue pair(s) of this responder</source>
        <translation>
            <numerusform>&amp;Read one other queue pair of this responder</numerusform>
            <numerusform>&amp;Read %n other queue pairs of this responder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) on this word outside the marked time are hidden. The order is that of all operations.</source>
        <translation>
            <numerusform>1 operation on this word outside the marked time is hidden. The order is that of all operations.</numerusform>
            <numerusform>%n operations on this word outside the marked time are hidden. The order is that of all operations.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and 1 more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) were left out to limit memory.</source>
        <translation>
            <numerusform>1 request was left out to limit memory.</numerusform>
            <numerusform>%Ln requests were left out to limit memory.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s) outside the marked time are hidden.</source>
        <translation>
            <numerusform>1 word outside the marked time is hidden.</numerusform>
            <numerusform>%n words outside the marked time are hidden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::BufferCanvas</name>
    <message numerus="yes">
        <source>TO %1 to %2, %Ln octet(s)</source>
        <translation>
            <numerusform>TO %1 to %2, 1 octet</numerusform>
            <numerusform>TO %1 to %2, %Ln octets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the latest of %Ln message(s)</source>
        <translation>
            <numerusform>the latest of 1 message</numerusform>
            <numerusform>the latest of %Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::BufferModel</name>
    <message numerus="yes">
        <source>%Ln Write(s)</source>
        <translation>
            <numerusform>1 Write</numerusform>
            <numerusform>%Ln Writes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln Read Response(s)</source>
        <translation>
            <numerusform>1 Read Response</numerusform>
            <numerusform>%Ln Read Responses</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln Read Request(s)</source>
        <translation>
            <numerusform>1 Read Request</numerusform>
            <numerusform>%Ln Read Requests</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln Atomic(s)</source>
        <translation>
            <numerusform>1 Atomic</numerusform>
            <numerusform>%Ln Atomics</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::BufferView</name>
    <message numerus="yes">
        <source>Not in the map: %Ln octet(s), to limit memory;</source>
        <translation>
            <numerusform>Not in the map: 1 octet, to limit memory;</numerusform>
            <numerusform>Not in the map: %Ln octets, to limit memory;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) that were not captured completely.</source>
        <translation>
            <numerusform>1 message that was not captured completely.</numerusform>
            <numerusform>%Ln messages that were not captured completely.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>✗ %Ln message(s) to this STag were refused: frame %1. %2</source>
        <translation>
            <numerusform>✗ 1 message to this STag was refused: frame %1. %2</numerusform>
            <numerusform>✗ %Ln messages to this STag were refused, the first in frame %1. %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FailureNotifier</name>
    <message numerus="yes">
        <source>%Ln queue pair(s) failed.</source>
        <translation>
            <numerusform>1 queue pair failed.</numerusform>
            <numerusform>%Ln queue pairs failed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FindingList</name>
    <message numerus="yes">
        <source>%1; %Ln older one(s) were discarded</source>
        <translation>
            <numerusform>%1; %Ln older one was discarded</numerusform>
            <numerusform>%1; %Ln older ones were discarded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FrameView</name>
    <message numerus="yes">
        <source>Frame %1, %Ln octet(s)</source>
        <translation>
            <numerusform>Frame %1, 1 octet</numerusform>
            <numerusform>Frame %1, %Ln octets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln more field(s) are not shown.</source>
        <translation>
            <numerusform>1 more field is not shown.</numerusform>
            <numerusform>%Ln more fields are not shown.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HexView</name>
    <message numerus="yes">
        <source>%Ln octet(s) copied to the clipboard.</source>
        <translation>
            <numerusform>1 octet copied to the clipboard.</numerusform>
            <numerusform>%Ln octets copied to the clipboard.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HostView</name>
    <message numerus="yes">
        <source>%n queue pair(s) that were not active in this time are left out.</source>
        <translation>
            <numerusform>1 queue pair that was not active in this time is left out.</numerusform>
            <numerusform>%n queue pairs that were not active in this time are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln host(s) with the least severe results are left out</source>
        <translation>
            <numerusform>1 host with the least severe results is left out</numerusform>
            <numerusform>%Ln hosts with the least severe results are left out</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::IncidentCard</name>
    <message numerus="yes">
        <source>Show the %Ln queue pair(s)</source>
        <translation>
            <numerusform>Show the queue pair</numerusform>
            <numerusform>Show the %Ln queue pairs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LatencyView</name>
    <message numerus="yes">
        <source>The %n slowest RDMA Reads and Atomic Operations, measured at the tap.</source>
        <translation>
            <numerusform>The slowest RDMA Read or Atomic Operation, measured at the tap.</numerusform>
            <numerusform>The %n slowest RDMA Reads and Atomic Operations, measured at the tap.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of the %n slowest began in the marked time.</source>
        <translation>
            <numerusform>%1 of the one that is listed began in the marked time.</numerusform>
            <numerusform>%1 of the %n slowest began in the marked time.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LogView</name>
    <message numerus="yes">
        <source>%n queue pair(s) that were not active in this time are left out.</source>
        <translation>
            <numerusform>1 queue pair that was not active in this time is left out.</numerusform>
            <numerusform>%n queue pairs that were not active in this time are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n type(s) of known lines were found.</source>
        <translation>
            <numerusform>1 type of known line was found.</numerusform>
            <numerusform>%n types of known lines were found.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queue pair(s) may be meant, the most likely first.</source>
        <translation>
            <numerusform>1 queue pair may be meant.</numerusform>
            <numerusform>%n queue pairs may be meant, the most likely first.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::MainWindow</name>
    <message numerus="yes">
        <source>%1, %Ln frame(s)</source>
        <translation>
            <numerusform>%1, 1 frame</numerusform>
            <numerusform>%1, %Ln frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln packet(s) saved in %1.</source>
        <translation>
            <numerusform>1 packet saved in %1.</numerusform>
            <numerusform>%Ln packets saved in %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Incident bundle with %Ln packet(s) saved in %1.</source>
        <translation>
            <numerusform>Incident bundle with 1 packet saved in %1.</numerusform>
            <numerusform>Incident bundle with %Ln packets saved in %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::OverviewView</name>
    <message numerus="yes">
        <source>...and other incidents of %Ln queue pair(s): the table has them all.</source>
        <translation>
            <numerusform>...and another incident of 1 queue pair: the table has them all.</numerusform>
            <numerusform>...and other incidents of %Ln queue pairs: the table has them all.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s)</source>
        <translation>
            <numerusform>1 frame</numerusform>
            <numerusform>%Ln frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln queue pair(s)</source>
        <translation>
            <numerusform>1 queue pair</numerusform>
            <numerusform>%Ln queue pairs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::PlotPane</name>
    <message numerus="yes">
        <source>%n request(s)</source>
        <translation>
            <numerusform>1 request</numerusform>
            <numerusform>%n requests</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::QpTableView</name>
    <message numerus="yes">
        <source>%n queue pair(s) that were not active in this time are hidden.</source>
        <translation>
            <numerusform>1 queue pair that was not active in this time is hidden.</numerusform>
            <numerusform>%n queue pairs that were not active in this time are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No queue pair matches the filter: %n hidden.</source>
        <translation>
            <numerusform>No queue pair matches the filter: 1 hidden.</numerusform>
            <numerusform>No queue pair matches the filter: %n hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No queue pair that matches the filter was active in the marked time: %n hidden.</source>
        <translation>
            <numerusform>No queue pair that matches the filter was active in the marked time: 1 hidden.</numerusform>
            <numerusform>No queue pair that matches the filter was active in the marked time: %n hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; %Ln older one(s) were discarded</source>
        <translation>
            <numerusform>%1; %Ln older one was discarded</numerusform>
            <numerusform>%1; %Ln older ones were discarded</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::SensorTable</name>
    <message numerus="yes">
        <source>%Ln frame(s)</source>
        <translation>
            <numerusform>1 frame</numerusform>
            <numerusform>%Ln frames</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::SitePairTable</name>
    <message numerus="yes">
        <source>%Ln queue pair(s) failed</source>
        <translation>
            <numerusform>1 queue pair failed</numerusform>
            <numerusform>%Ln queue pairs failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>1 day</numerusform>
            <numerusform>%Ln days</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::SiteView</name>
    <message numerus="yes">
        <source>%Ln day(s)</source>
        <translation>
            <numerusform>1 day</numerusform>
            <numerusform>%Ln days</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln sensor(s)</source>
        <translation>
            <numerusform>1 sensor</numerusform>
            <numerusform>%Ln sensors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>✗ %Ln silent</source>
        <translation>
            <numerusform>✗ 1 silent</numerusform>
            <numerusform>✗ %Ln silent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>▲ %Ln to check</source>
        <translation>
            <numerusform>▲ 1 to check</numerusform>
            <numerusform>▲ %Ln to check</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pair(s) of hosts failed</source>
        <translation>
            <numerusform>1 pair of hosts failed</numerusform>
            <numerusform>%Ln pairs of hosts failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln pair(s) of hosts failed, or more</source>
        <translation>
            <numerusform>1 pair of hosts failed, or more</numerusform>
            <numerusform>%Ln pairs of hosts failed, or more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::ThroughputStrip</name>
    <message numerus="yes">
        <source>From %1 to %2, %3, %Ln failure(s)</source>
        <translation>
            <numerusform>From %1 to %2, %3, 1 failure</numerusform>
            <numerusform>From %1 to %2, %3, %Ln failures</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TimeNote</name>
    <message numerus="yes">
        <source>%n row(s) outside are hidden.</source>
        <translation>
            <numerusform>1 row outside is hidden.</numerusform>
            <numerusform>%n rows outside are hidden.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TimelineView</name>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TrackList</name>
    <message numerus="yes">
        <source>%Ln queue pair(s)</source>
        <translation>
            <numerusform>1 queue pair</numerusform>
            <numerusform>%Ln queue pairs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TrackPane</name>
    <message numerus="yes">
        <source>%Ln retransmission(s)</source>
        <translation>
            <numerusform>1 retransmission</numerusform>
            <numerusform>%Ln retransmissions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) out of order</source>
        <translation>
            <numerusform>1 frame out of order</numerusform>
            <numerusform>%Ln frames out of order</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln capture gap(s)</source>
        <translation>
            <numerusform>1 capture gap</numerusform>
            <numerusform>%Ln capture gaps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln damaged frame(s)</source>
        <translation>
            <numerusform>1 damaged frame</numerusform>
            <numerusform>%Ln damaged frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>window closed %Ln time(s)</source>
        <translation>
            <numerusform>window closed once</numerusform>
            <numerusform>window closed %Ln times</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TrackView</name>
    <message numerus="yes">
        <source>%Ln host(s)</source>
        <translation>
            <numerusform>1 host</numerusform>
            <numerusform>%Ln hosts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln queue pair(s)</source>
        <translation>
            <numerusform>1 queue pair</numerusform>
            <numerusform>%Ln queue pairs</numerusform>
        </translation>
    </message>
</context>
</TS>
