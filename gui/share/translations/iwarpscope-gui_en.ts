<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Health</name>
    <message numerus="yes">
        <source>%n full</source>
        <translation><numerusform>one full</numerusform><numerusform>%n full</numerusform></translation>
    </message>
</context>
<context>
    <name>Html</name>
    <message numerus="yes">
        <source>... and %n more.</source>
        <translation><numerusform>... and one more.</numerusform><numerusform>... and %n more.</numerusform></translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message numerus="yes">
        <source>%n of them are not shown in detail.</source>
        <translation><numerusform>One of them is not shown in detail.</numerusform><numerusform>%n of them are not shown in detail.</numerusform></translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicUsesModel</name>
    <message numerus="yes">
        <source>The analysis found %n result(s) that cannot be: no operation before left what was returned (RFC 7306 §5.3).</source>
        <translation><numerusform>The analysis found one result that cannot be: no operation before left what was returned (RFC 7306 §5.3).</numerusform><numerusform>The analysis found %n results that cannot be: no operation before left what was returned (RFC 7306 §5.3).</numerusform></translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicView</name>
    <message numerus="yes">
        <source>Ask %n &amp;other queue pair(s) of this responder</source>
        <translation><numerusform>Ask one &amp;other queue pair of this responder</numerusform><numerusform>Ask %n &amp;other queue pairs of this responder</numerusform></translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LatencyView</name>
    <message numerus="yes">
        <source>The %n slowest RDMA Reads and Atomic Operations, measured at the tap.</source>
        <translation><numerusform>The slowest RDMA Read or Atomic Operation, measured at the tap.</numerusform><numerusform>The %n slowest RDMA Reads and Atomic Operations, measured at the tap.</numerusform></translation>
    </message>
    <message numerus="yes">
        <source>%1 of the %n slowest began in the marked time.</source>
        <translation><numerusform>%1 of the one that is listed began in the marked time.</numerusform><numerusform>%1 of the %n slowest began in the marked time.</numerusform></translation>
    </message>
</context>
</TS>
