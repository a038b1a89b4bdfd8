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
        <source>The sensor lost %Ln frame(s) while this queue pair was there, and %1 of it are missing. Its verdict and findings may say less than happened.</source>
        <translation>
            <numerusform>The sensor lost 1 frame while this queue pair was there, and %1 of it are missing. Its verdict and findings may say less than happened.</numerusform>
            <numerusform>The sensor lost %Ln frames while this queue pair was there, and %1 of it are missing. Its verdict and findings may say less than happened.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The sensor lost %Ln frame(s), and %1 are missing. Verdicts and findings may say less than happened.</source>
        <translation>
            <numerusform>The sensor lost 1 frame, and %1 are missing. Verdicts and findings may say less than happened.</numerusform>
            <numerusform>The sensor lost %Ln frames, and %1 are missing. Verdicts and findings may say less than happened.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) are cut by a snap length: what is missing there is not judged.</source>
        <translation>
            <numerusform>1 frame is cut by a snap length: what is missing there is not judged.</numerusform>
            <numerusform>%Ln frames are cut by a snap length: what is missing there is not judged.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) came by a kind of link that is not decoded.</source>
        <translation>
            <numerusform>1 frame came by a kind of link that is not decoded.</numerusform>
            <numerusform>%Ln frames came by a kind of link that is not decoded.</numerusform>
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
        <source>%Ln connection(s) were refused with a reset or an ABORT, first by %1.</source>
        <translation>
            <numerusform>%Ln connection was refused with a reset or an ABORT, first by %1.</numerusform>
            <numerusform>%Ln connections were refused with a reset or an ABORT, first by %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) were never answered, first by %1.</source>
        <translation>
            <numerusform>%Ln connection was never answered, first by %1.</numerusform>
            <numerusform>%Ln connections were never answered, first by %1.</numerusform>
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
    <name>Report</name>
    <message numerus="yes">
        <source>%n of them are not shown in detail.</source>
        <translation>
            <numerusform>One of them is not shown in detail.</numerusform>
            <numerusform>%n of them are not shown in detail.</numerusform>
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
</context>
<context>
    <name>iwarpscope::gui::AtomicUsesModel</name>
    <message numerus="yes">
        <source>The analysis found %n result(s) that cannot be: no operation before left what was returned (RFC 7306 §5.3).</source>
        <translation>
            <numerusform>The analysis found one result that cannot be: no operation before left what was returned (RFC 7306 §5.3).</numerusform>
            <numerusform>The analysis found %n results that cannot be: no operation before left what was returned (RFC 7306 §5.3).</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicView</name>
    <message numerus="yes">
        <source>Ask %n &amp;other queue pair(s) of this responder</source>
        <translation>
            <numerusform>Ask one &amp;other queue pair of this responder</numerusform>
            <numerusform>Ask %n &amp;other queue pairs of this responder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) on this word of other times are hidden; the order is that of all.</source>
        <translation>
            <numerusform>1 operation on this word of another time is hidden; the order is that of all.</numerusform>
            <numerusform>%n operations on this word of other times are hidden; the order is that of all.</numerusform>
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
        <source>%Ln request(s) were left out to stay bounded.</source>
        <translation>
            <numerusform>1 request was left out to stay bounded.</numerusform>
            <numerusform>%Ln requests were left out to stay bounded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s) of other times are hidden.</source>
        <translation>
            <numerusform>1 word of another time is hidden.</numerusform>
            <numerusform>%n words of other times are hidden.</numerusform>
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
        <source>Not in the map: %Ln octet(s) to stay bounded,</source>
        <translation>
            <numerusform>Not in the map: 1 octet to stay bounded,</numerusform>
            <numerusform>Not in the map: %Ln octets to stay bounded,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) that were not seen whole.</source>
        <translation>
            <numerusform>1 message that was not seen whole.</numerusform>
            <numerusform>%Ln messages that were not seen whole.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>✗ %Ln message(s) to this STag came to nothing: frame %1. %2</source>
        <translation>
            <numerusform>✗ 1 message to this STag came to nothing: frame %1. %2</numerusform>
            <numerusform>✗ %Ln messages to this STag came to nothing, the first in frame %1. %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FindingList</name>
    <message numerus="yes">
        <source>%1; %Ln older one(s) are not kept</source>
        <translation>
            <numerusform>%1; %Ln older one is not kept</numerusform>
            <numerusform>%1; %Ln older ones are not kept</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HostView</name>
    <message numerus="yes">
        <source>%n queue pair(s) that were not there then are left out.</source>
        <translation>
            <numerusform>1 queue pair that was not there then is left out.</numerusform>
            <numerusform>%n queue pairs that were not there then are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln host(s) with the least to tell are left out</source>
        <translation>
            <numerusform>1 host with the least to tell is left out</numerusform>
            <numerusform>%Ln hosts with the least to tell are left out</numerusform>
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
        <source>%n queue pair(s) that were not there then are left out.</source>
        <translation>
            <numerusform>1 queue pair that was not there then is left out.</numerusform>
            <numerusform>%n queue pairs that were not there then are left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n kind(s) of line are known.</source>
        <translation>
            <numerusform>1 kind of line is known.</numerusform>
            <numerusform>%n kinds of lines are known.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n queue pair(s) may be meant, the likeliest first.</source>
        <translation>
            <numerusform>1 queue pair may be meant.</numerusform>
            <numerusform>%n queue pairs may be meant, the likeliest first.</numerusform>
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
        <source>%Ln packet(s) are saved in %1.</source>
        <translation>
            <numerusform>1 packet is saved in %1.</numerusform>
            <numerusform>%Ln packets are saved in %1.</numerusform>
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
        <source>%n queue pair(s) that were not there then are hidden.</source>
        <translation>
            <numerusform>1 queue pair that was not there then is hidden.</numerusform>
            <numerusform>%n queue pairs that were not there then are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No queue pair passes the filter: %n hidden.</source>
        <translation>
            <numerusform>No queue pair passes the filter: 1 hidden.</numerusform>
            <numerusform>No queue pair passes the filter: %n hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No queue pair that passes the filter was there in the marked time: %n hidden.</source>
        <translation>
            <numerusform>No queue pair that passes the filter was there in the marked time: 1 hidden.</numerusform>
            <numerusform>No queue pair that passes the filter was there in the marked time: %n hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1; %Ln older one(s) are not kept</source>
        <translation>
            <numerusform>%1; %Ln older one is not kept</numerusform>
            <numerusform>%1; %Ln older ones are not kept</numerusform>
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
</TS>
