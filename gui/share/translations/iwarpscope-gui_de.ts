<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Duration</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 us</source>
        <translation>%1 us</translation>
    </message>
    <message>
        <source>%1 ns</source>
        <translation>%1 ns</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>The guide</source>
        <translation>Der Leitfaden</translation>
    </message>
</context>
<context>
    <name>Handshake</name>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>not negotiated</source>
        <translation>nicht ausgehandelt</translation>
    </message>
    <message>
        <source>0 (RDMA Consortium)</source>
        <translation>0 (RDMA Consortium)</translation>
    </message>
    <message>
        <source>1 (RFC 5044)</source>
        <translation>1 (RFC 5044)</translation>
    </message>
    <message>
        <source>2 (RFC 6581)</source>
        <translation>2 (RFC 6581)</translation>
    </message>
    <message>
        <source>%1 (unknown)</source>
        <translation>%1 (unbekannt)</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>nicht genannt</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Send</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Write</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Read</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>not seen</source>
        <translation>nicht gesehen</translation>
    </message>
    <message>
        <source>Revision</source>
        <translation>Revision</translation>
    </message>
    <message>
        <source>Version of MPA that this end speaks.</source>
        <translation>MPA-Version, die diese Seite spricht.</translation>
    </message>
    <message>
        <source>The ends speak different versions: the lower one can be in force at most.</source>
        <translation>Die Seiten sprechen verschiedene Versionen: Höchstens die niedrigere kann gelten.</translation>
    </message>
    <message>
        <source>Markers (M)</source>
        <translation>Marker (M)</translation>
    </message>
    <message>
        <source>This end wants to receive a marker every 512 octets, to find FPDUs again behind a loss.</source>
        <translation>Diese Seite will alle 512 Oktette einen Marker empfangen, um FPDUs nach einem Verlust wiederzufinden.</translation>
    </message>
    <message>
        <source>wanted</source>
        <translation>gewünscht</translation>
    </message>
    <message>
        <source>not wanted</source>
        <translation>nicht gewünscht</translation>
    </message>
    <message>
        <source>Each direction is by itself: markers go only to the end that wants them.</source>
        <translation>Jede Richtung steht für sich: Marker gehen nur an die Seite, die sie wünscht.</translation>
    </message>
    <message>
        <source>CRC (C)</source>
        <translation>CRC (C)</translation>
    </message>
    <message>
        <source>This end wants every FPDU to carry a CRC32C.</source>
        <translation>Diese Seite will, dass jede FPDU eine CRC32C trägt.</translation>
    </message>
    <message>
        <source>It is enough that one end wants it: CRCs are used in both directions.</source>
        <translation>Es genügt, dass eine Seite sie wünscht: CRCs gelten dann in beiden Richtungen.</translation>
    </message>
    <message>
        <source>Rejected (R)</source>
        <translation>Abgelehnt (R)</translation>
    </message>
    <message>
        <source>The Responder turns the connection away.</source>
        <translation>Der Responder weist die Verbindung ab.</translation>
    </message>
    <message>
        <source>The Responder refused: look at its private data and its log for the reason.</source>
        <translation>Der Responder hat abgelehnt: Der Grund steht in seinen Private Data oder in seinem Protokoll.</translation>
    </message>
    <message>
        <source>Enhanced (S)</source>
        <translation>Erweitert (S)</translation>
    </message>
    <message>
        <source>Four octets with read depths and RTR lead the private data (RFC 6581).</source>
        <translation>Vier Oktette mit Read-Tiefen und RTR stehen vor den Private Data (RFC 6581).</translation>
    </message>
    <message>
        <source>One end negotiates read depths, the other does not know how.</source>
        <translation>Eine Seite handelt Read-Tiefen aus, die andere beherrscht das nicht.</translation>
    </message>
    <message>
        <source>IRD</source>
        <translation>IRD</translation>
    </message>
    <message>
        <source>RDMA Read Requests that this end can take at a time (Inbound Read depth).</source>
        <translation>RDMA Read Requests, die diese Seite gleichzeitig annehmen kann (Inbound Read Depth).</translation>
    </message>
    <message>
        <source>ORD</source>
        <translation>ORD</translation>
    </message>
    <message>
        <source>RDMA Read Requests that this end wants to have outstanding (Outbound Read depth).</source>
        <translation>RDMA Read Requests, die diese Seite gleichzeitig offen haben will (Outbound Read Depth).</translation>
    </message>
    <message>
        <source>The Responder takes %1 at a time, fewer than the %2 that the Initiator wants: the Initiator has to keep to %1.</source>
        <translation>Der Responder nimmt %1 gleichzeitig an, weniger als die %2, die der Initiator will: Der Initiator muss sich an %1 halten.</translation>
    </message>
    <message>
        <source>The Initiator takes %1 at a time, fewer than the %2 that the Responder says it will send.</source>
        <translation>Der Initiator nimmt %1 gleichzeitig an, weniger als die %2, die der Responder senden will.</translation>
    </message>
    <message>
        <source>The ORD of one end stands against the IRD of the other: they fit.</source>
        <translation>Die ORD der einen Seite steht gegen die IRD der anderen: Sie passen zusammen.</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>Number of the frame that completed it.</source>
        <translation>Nummer des Frames, mit dem es vollständig war.</translation>
    </message>
    <message>
        <source>Time (UTC)</source>
        <translation>Zeit (UTC)</translation>
    </message>
    <message>
        <source>When it was complete at the place of capture.</source>
        <translation>Wann es am Ort des Mitschnitts vollständig war.</translation>
    </message>
    <message>
        <source>Peer-to-peer (A)</source>
        <translation>Peer-to-Peer (A)</translation>
    </message>
    <message>
        <source>The Initiator sends a Ready to Receive message first, so that the Responder may send before the application does.</source>
        <translation>Der Initiator sendet zuerst eine Ready-to-Receive-Nachricht, damit der Responder vor der Anwendung senden darf.</translation>
    </message>
    <message>
        <source>RTR kinds</source>
        <translation>RTR-Arten</translation>
    </message>
    <message>
        <source>Kinds of message that may be the Ready to Receive message.</source>
        <translation>Arten von Nachrichten, die als Ready-to-Receive-Nachricht dienen können.</translation>
    </message>
    <message>
        <source>The Responder chooses among those that the Initiator offers.</source>
        <translation>Der Responder wählt unter denen, die der Initiator anbietet.</translation>
    </message>
    <message>
        <source>Private data</source>
        <translation>Private Data</translation>
    </message>
    <message>
        <source>For the upper layer: the application reads it, not the layers below.</source>
        <translation>Für die höhere Schicht: Die Anwendung liest sie, nicht die Schichten darunter.</translation>
    </message>
    <message>
        <source>on (inferred)</source>
        <translation>an (erschlossen)</translation>
    </message>
    <message>
        <source>off (inferred)</source>
        <translation>aus (erschlossen)</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>CRC</source>
        <translation>CRC</translation>
    </message>
    <message>
        <source>FPDUs carry a CRC32C.</source>
        <translation>FPDUs tragen eine CRC32C.</translation>
    </message>
    <message>
        <source>Markers</source>
        <translation>Marker</translation>
    </message>
    <message>
        <source>Octets of this direction carry markers.</source>
        <translation>Die Oktette dieser Richtung tragen Marker.</translation>
    </message>
    <message>
        <source>Outstanding reads</source>
        <translation>Offene Reads</translation>
    </message>
    <message>
        <source>RDMA Read Requests that the sender may have outstanding.</source>
        <translation>RDMA Read Requests, die der Sender offen haben darf.</translation>
    </message>
    <message>
        <source>DDP version</source>
        <translation>DDP-Version</translation>
    </message>
    <message>
        <source>Of the headers below RDMAP.</source>
        <translation>Der Header unterhalb von RDMAP.</translation>
    </message>
    <message>
        <source>RDMAP version</source>
        <translation>RDMAP-Version</translation>
    </message>
    <message>
        <source>Of the RDMA messages.</source>
        <translation>Der RDMA-Nachrichten.</translation>
    </message>
    <message>
        <source>The capture began after the startup: what is in force was inferred from the stream, as far as it tells.</source>
        <translation>Der Mitschnitt begann nach dem Startup: Was gilt, ist aus dem Strom erschlossen, soweit er es verrät.</translation>
    </message>
    <message>
        <source>No MPA startup was seen.</source>
        <translation>Es war kein MPA-Startup zu sehen.</translation>
    </message>
    <message>
        <source>The Reply came %1 after the Request.</source>
        <translation>Der Reply kam %1 nach dem Request.</translation>
    </message>
    <message>
        <source>The answer came %1 after the Session Initiate.</source>
        <translation>Die Antwort kam %1 nach dem Session Initiate.</translation>
    </message>
    <message>
        <source>No answer to the Session Initiate was seen.</source>
        <translation>Es war keine Antwort auf den Session Initiate zu sehen.</translation>
    </message>
    <message>
        <source>The Session Initiate was not seen, only its answer.</source>
        <translation>Der Session Initiate war nicht zu sehen, nur seine Antwort.</translation>
    </message>
    <message>
        <source>No Reply to the Request was seen.</source>
        <translation>Es war kein Reply auf den Request zu sehen.</translation>
    </message>
    <message>
        <source>The Request was not seen, only its Reply.</source>
        <translation>Der Request war nicht zu sehen, nur sein Reply.</translation>
    </message>
    <message>
        <source>The Ready to Receive message is an RDMA %1 in frame %2.</source>
        <translation>Die Ready-to-Receive-Nachricht ist ein RDMA %1 in Frame %2.</translation>
    </message>
    <message>
        <source>Request from A, the Initiator
%1</source>
        <translation>Request von A, dem Initiator
%1</translation>
    </message>
    <message>
        <source>Reply from B, the Responder
%1</source>
        <translation>Reply von B, dem Responder
%1</translation>
    </message>
    <message>
        <source>≠ differs</source>
        <translation>≠ verschieden</translation>
    </message>
    <message>
        <source>✗ conflict</source>
        <translation>✗ Widerspruch</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Kennung</translation>
    </message>
    <message>
        <source>The text that opens the frame and tells that it is MPA&apos;s.</source>
        <translation>Der Text, mit dem der Frame beginnt und der ihn als einen von MPA ausweist.</translation>
    </message>
    <message>
        <source>It has to be &quot;%1&quot; in the Request and &quot;%2&quot; in the Reply.</source>
        <translation>Im Request muss sie „%1“ sein, im Reply „%2“.</translation>
    </message>
    <message>
        <source>Function code</source>
        <translation>Funktionscode</translation>
    </message>
    <message>
        <source>Which session control message this is (RFC 5043, RFC 6581).</source>
        <translation>Welche Session-Control-Nachricht das ist (RFC 5043, RFC 6581).</translation>
    </message>
    <message>
        <source>Rejected</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>Enhanced</source>
        <translation>Erweitert</translation>
    </message>
    <message>
        <source>No startup of the session was seen.</source>
        <translation>Es war kein Startup der Session zu sehen.</translation>
    </message>
    <message>
        <source>Session Initiate from A, the active side
%1</source>
        <translation>Session Initiate von A, der aktiven Seite
%1</translation>
    </message>
    <message>
        <source>Answer from B, the passive side
%1</source>
        <translation>Antwort von B, der passiven Seite
%1</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>none lost</source>
        <translation>nichts verloren</translation>
    </message>
    <message>
        <source>Interface</source>
        <translation>Schnittstelle</translation>
    </message>
    <message>
        <source>Frames that the adapter dropped before anybody could read them. Check its ring size and the load of the mirror port.</source>
        <translation>Frames, die der Adapter verwarf, bevor sie jemand lesen konnte. Prüfen: seine Ringgröße und die Last des Mirror-Ports.</translation>
    </message>
    <message>
        <source>%1 is down.</source>
        <translation>%1 ist nicht aktiv.</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Frames that were captured and not analysed, as the analysis was behind. Give it more threads or a larger queue, or less traffic.</source>
        <translation>Frames, die mitgeschnitten, aber nicht ausgewertet wurden, weil die Auswertung im Rückstand war. Mehr Threads, eine größere Warteschlange oder weniger Verkehr helfen.</translation>
    </message>
    <message>
        <source>%L1 s behind</source>
        <translation>%L1 s im Rückstand</translation>
    </message>
    <message>
        <source>Capture gaps</source>
        <translation>Lücken im Mitschnitt</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Octets that TCP and messages that SCTP acknowledged and this capture never saw: lost at the mirror port or before the file was written.</source>
        <translation>Oktette, die TCP, und Nachrichten, die SCTP bestätigte und dieser Mitschnitt nie sah: am Mirror-Port verloren oder bevor die Datei geschrieben wurde.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>Ausgaben</translation>
    </message>
    <message>
        <source>Event log, journal, history and recordings: what they could not write. Verdicts here do not depend on it.</source>
        <translation>Ereignisprotokoll, Journal, Verlauf und Aufzeichnungen: was sie nicht schreiben konnten. Die Urteile hier hängen nicht davon ab.</translation>
    </message>
    <message>
        <source>none configured</source>
        <translation>keine eingerichtet</translation>
    </message>
    <message>
        <source>behind</source>
        <translation>im Rückstand</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>none full</source>
        <translation>keine voll</translation>
    </message>
    <message>
        <source>Bounded tables: when one is full, the oldest entries are forgotten.</source>
        <translation>Begrenzte Tabellen: Ist eine voll, werden die ältesten Einträge vergessen.</translation>
    </message>
    <message>
        <source>%1: %L2 forgotten, the limit is %L3</source>
        <translation>%1: %L2 vergessen, die Grenze ist %L3</translation>
    </message>
    <message numerus="yes">
        <source>%n full</source>
        <translation>
            <numerusform>%n voll</numerusform>
            <numerusform>%n voll</numerusform>
        </translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Frames that came while the capture ring was full. Make it larger.</source>
        <translation>Frames, die kamen, als der Aufnahmering voll war. Einen größeren einstellen.</translation>
    </message>
    <message>
        <source>✓ well</source>
        <translation>✓ gut</translation>
    </message>
    <message>
        <source>▲ strained</source>
        <translation>▲ angespannt</translation>
    </message>
    <message>
        <source>✗ losses</source>
        <translation>✗ Verluste</translation>
    </message>
    <message>
        <source>? unknown</source>
        <translation>? unbekannt</translation>
    </message>
    <message>
        <source>The capture lacks %1 of this queue pair. Its verdict and findings may say less than happened.</source>
        <translation>Dem Mitschnitt fehlen %1 dieses Queue Pairs. Urteil und Befunde sagen vielleicht weniger, als geschah.</translation>
    </message>
    <message>
        <source>The capture lacks %1. Verdicts and findings may say less than happened.</source>
        <translation>Dem Mitschnitt fehlen %1. Urteile und Befunde sagen vielleicht weniger, als geschah.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) lost</source>
        <translation>
            <numerusform>1 Frame verloren</numerusform>
            <numerusform>%Ln Frames verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>ganz</translation>
    </message>
    <message>
        <source>Whether the capture file could be read to its end.</source>
        <translation>Ob die Datei des Mitschnitts bis zu ihrem Ende gelesen werden konnte.</translation>
    </message>
    <message>
        <source>not whole</source>
        <translation>nicht ganz</translation>
    </message>
    <message>
        <source>Cut frames</source>
        <translation>Gekürzte Frames</translation>
    </message>
    <message>
        <source>Frames of which a snap length left only a part: CRCs are not judged there, and a header that is cut is not read. Capture with a snap length of 0 or 262144.</source>
        <translation>Frames, von denen eine Snap Length nur einen Teil ließ: CRCs werden dort nicht beurteilt, und ein gekürzter Header wird nicht gelesen. Mit einer Snap Length von 0 oder 262144 aufzeichnen.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln cut</source>
        <translation>
            <numerusform>1 gekürzt</numerusform>
            <numerusform>%Ln gekürzt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln lost</source>
        <translation>
            <numerusform>1 verloren</numerusform>
            <numerusform>%Ln verloren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, stale</source>
        <translation>%1, veraltet</translation>
    </message>
    <message>
        <source>The daemon is out of reach: this is what it told last.</source>
        <translation>Der Daemon ist nicht erreichbar: das ist, was er zuletzt sagte.</translation>
    </message>
    <message numerus="yes">
        <source>The sensor lost %Ln frame(s) while this queue pair was there, and %1 of it are missing. Its verdict and findings may say less than happened.</source>
        <translation>
            <numerusform>Der Sensor verlor 1 Frame, während es dieses Queue Pair gab, und %1 davon fehlen. Urteil und Befunde können weniger sagen, als geschah.</numerusform>
            <numerusform>Der Sensor verlor %Ln Frames, während es dieses Queue Pair gab, und %1 davon fehlen. Urteil und Befunde können weniger sagen, als geschah.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The sensor lost %Ln frame(s), and %1 are missing. Verdicts and findings may say less than happened.</source>
        <translation>
            <numerusform>Der Sensor verlor 1 Frame, und %1 fehlen. Urteile und Befunde können weniger sagen, als geschah.</numerusform>
            <numerusform>Der Sensor verlor %Ln Frames, und %1 fehlen. Urteile und Befunde können weniger sagen, als geschah.</numerusform>
        </translation>
    </message>
    <message>
        <source>The capture is not whole: %1.</source>
        <translation>Der Mitschnitt ist nicht ganz: %1.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) are cut by a snap length: what is missing there is not judged.</source>
        <translation>
            <numerusform>1 Frame ist von einer Snap Length gekürzt: was dort fehlt, wird nicht beurteilt.</numerusform>
            <numerusform>%Ln Frames sind von einer Snap Length gekürzt: was dort fehlt, wird nicht beurteilt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln frame(s) came by a kind of link that is not decoded.</source>
        <translation>
            <numerusform>1 Frame kam über eine Art von Link, die nicht dekodiert wird.</numerusform>
            <numerusform>%Ln Frames kamen über eine Art von Link, die nicht dekodiert wird.</numerusform>
        </translation>
    </message>
    <message>
        <source>The capture holds no frame.</source>
        <translation>Der Mitschnitt enthält keinen Frame.</translation>
    </message>
    <message numerus="yes">
        <source>There is no iWARP in this capture: %Ln frame(s) were read, no TCP connection in them was recognised as MPA, and no SCTP association carries DDP.</source>
        <translation>
            <numerusform>In diesem Mitschnitt ist kein iWARP: 1 Frame wurde gelesen, keine TCP-Verbindung darin wurde als MPA erkannt, und keine SCTP-Assoziation trägt DDP.</numerusform>
            <numerusform>In diesem Mitschnitt ist kein iWARP: %Ln Frames wurden gelesen, keine TCP-Verbindung darin wurde als MPA erkannt, und keine SCTP-Assoziation trägt DDP.</numerusform>
        </translation>
    </message>
    <message>
        <source>Frames are cut: where only headers were captured, iWARP cannot be recognised.</source>
        <translation>Frames sind gekürzt: wo nur Header aufgezeichnet wurden, kann iWARP nicht erkannt werden.</translation>
    </message>
    <message>
        <source>Some connection began like it and could not be confirmed: see the findings.</source>
        <translation>Manche Verbindung begann so und konnte nicht bestätigt werden: siehe die Befunde.</translation>
    </message>
    <message>
        <source>%1:%2 in frame %L3</source>
        <translation>%1:%2 in Frame %L3</translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) were refused with a reset or an ABORT, first by %1.</source>
        <translation>
            <numerusform>%Ln Verbindung wurde mit einem Reset oder ABORT abgewiesen, von %1.</numerusform>
            <numerusform>%Ln Verbindungen wurden mit einem Reset oder ABORT abgewiesen, zuerst von %1.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln connection(s) were never answered, first by %1.</source>
        <translation>
            <numerusform>%Ln Verbindung wurde nie beantwortet, von %1.</numerusform>
            <numerusform>%Ln Verbindungen wurden nie beantwortet, zuerst von %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Html</name>
    <message>
        <source>frame %1</source>
        <translation>Frame %1</translation>
    </message>
    <message>
        <source>There is no verdict yet.</source>
        <translation>Es gibt noch kein Urteil.</translation>
    </message>
    <message>
        <source>How sure:</source>
        <translation>Wie sicher:</translation>
    </message>
    <message>
        <source>Evidence:</source>
        <translation>Belege:</translation>
    </message>
    <message>
        <source>Check next:</source>
        <translation>Als Nächstes prüfen:</translation>
    </message>
    <message>
        <source>Verdict code:</source>
        <translation>Kennung des Urteils:</translation>
    </message>
    <message>
        <source>What the ends asked for</source>
        <translation>Was die Seiten verlangten</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>What is in force</source>
        <translation>Was gilt</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>A to B</source>
        <translation>A nach B</translation>
    </message>
    <message>
        <source>B to A</source>
        <translation>B nach A</translation>
    </message>
    <message>
        <source>No finding.</source>
        <translation>Kein Befund.</translation>
    </message>
    <message numerus="yes">
        <source>... and %n more.</source>
        <translation>
            <numerusform>... und ein weiterer.</numerusform>
            <numerusform>... und %n weitere.</numerusform>
        </translation>
    </message>
    <message>
        <source>What it means:</source>
        <translation>Was es bedeutet:</translation>
    </message>
    <message>
        <source>Why:</source>
        <translation>Warum:</translation>
    </message>
    <message>
        <source>Reference:</source>
        <translation>Quelle:</translation>
    </message>
    <message>
        <source>But there is an error:</source>
        <translation>Aber es gibt einen Fehler:</translation>
    </message>
    <message>
        <source>But there is a warning:</source>
        <translation>Aber es gibt eine Warnung:</translation>
    </message>
    <message>
        <source>Show in the list of findings</source>
        <translation>In der Liste der Befunde zeigen</translation>
    </message>
    <message>
        <source>In the hosts&apos; logs:</source>
        <translation>In den Logs der Hosts:</translation>
    </message>
</context>
<context>
    <name>Keyring</name>
    <message>
        <source>The keyring of this desktop was not unlocked.</source>
        <translation>Der Schlüsselbund dieser Arbeitsumgebung wurde nicht entsperrt.</translation>
    </message>
    <message>
        <source>There is no keyring on this desktop.</source>
        <translation>Diese Arbeitsumgebung hat keinen Schlüsselbund.</translation>
    </message>
    <message>
        <source>There is no keyring on this desktop that answers.</source>
        <translation>Diese Arbeitsumgebung hat keinen Schlüsselbund, der antwortet.</translation>
    </message>
</context>
<context>
    <name>Ladder</name>
    <message>
        <source>1 octet</source>
        <translation>1 Oktett</translation>
    </message>
    <message>
        <source>%1 octets</source>
        <translation>%1 Oktette</translation>
    </message>
    <message>
        <source>No response was seen.</source>
        <translation>Es war keine Antwort zu sehen.</translation>
    </message>
    <message>
        <source>Answered by #%1: first octet after %2, last after %3.</source>
        <translation>Beantwortet von #%1: erstes Oktett nach %2, letztes nach %3.</translation>
    </message>
    <message>
        <source>It answers no request that was seen.</source>
        <translation>Es beantwortet keine Anfrage, die zu sehen war.</translation>
    </message>
    <message>
        <source>It answers request #%1.</source>
        <translation>Es beantwortet Anfrage #%1.</translation>
    </message>
    <message>
        <source>unknown operation</source>
        <translation>unbekannte Operation</translation>
    </message>
    <message>
        <source>Reads %1 from STag %2 TO %3 into STag %4 TO %5. %6</source>
        <translation>Liest %1 von STag %2 TO %3 nach STag %4 TO %5. %6</translation>
    </message>
    <message>
        <source>%1 at STag %2 TO %3, identifier %4, data %5 mask %6, compare %7 mask %8. %9</source>
        <translation>%1 bei STag %2 TO %3, Kennung %4, Daten %5 Maske %6, Vergleich %7 Maske %8. %9</translation>
    </message>
    <message>
        <source>Identifier %1, original value %2. %3</source>
        <translation>Kennung %1, vorheriger Wert %2. %3</translation>
    </message>
    <message>
        <source>%1 The operation left %2.</source>
        <translation>%1 Die Operation hinterließ %2.</translation>
    </message>
    <message>
        <source>Data %1.</source>
        <translation>Daten %1.</translation>
    </message>
    <message>
        <source>%1 (layer/type/code %2).</source>
        <translation>%1 (Schicht/Typ/Code %2).</translation>
    </message>
    <message>
        <source>%1 It names message #%2 of %3.</source>
        <translation>%1 Es nennt Nachricht #%2 von %3.</translation>
    </message>
    <message>
        <source>Tagged, to STag %1 TO %2.</source>
        <translation>Tagged, an STag %1 TO %2.</translation>
    </message>
    <message>
        <source>Untagged, %1 MSN %2; invalidates STag %3.</source>
        <translation>Untagged, %1 MSN %2; macht STag %3 ungültig.</translation>
    </message>
    <message>
        <source>Untagged, %1 MSN %2.</source>
        <translation>Untagged, %1 MSN %2.</translation>
    </message>
    <message>
        <source>First octet at %1; it is not complete.</source>
        <translation>Erstes Oktett bei %1; sie ist nicht vollständig.</translation>
    </message>
    <message>
        <source>First octet at %1, Placed and Delivered at %2.</source>
        <translation>Erstes Oktett bei %1, Placed und Delivered bei %2.</translation>
    </message>
    <message>
        <source>First octet at %1, Placed at %2, Delivered at %3: it waited %4 for octets before it.</source>
        <translation>Erstes Oktett bei %1, Placed bei %2, Delivered bei %3: Sie wartete %4 auf Oktette vor ihr.</translation>
    </message>
    <message>
        <source>%1, for %2, source STag %3</source>
        <translation>%1, über %2, Quell-STag %3</translation>
    </message>
    <message>
        <source>%1, %2, STag %3</source>
        <translation>%1, %2, STag %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, %2, MSN %3</source>
        <translation>%1, %2, MSN %3</translation>
    </message>
    <message>
        <source>frame %1</source>
        <translation>Frame %1</translation>
    </message>
    <message>
        <source>frames %1-%2</source>
        <translation>Frames %1-%2</translation>
    </message>
    <message>
        <source>#%1 %2: %3, %4, DDP segments: %5, %6 (%7)</source>
        <translation>#%1 %2: %3, %4, DDP-Segmente: %5, %6 (%7)</translation>
    </message>
    <message>
        <source>retransmission</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>out of order</source>
        <translation>außer der Reihe</translation>
    </message>
    <message>
        <source>capture gap</source>
        <translation>Lücke im Mitschnitt</translation>
    </message>
    <message>
        <source>damaged, dropped</source>
        <translation>beschädigt, verworfen</translation>
    </message>
    <message>
        <source>window closed</source>
        <translation>Fenster geschlossen</translation>
    </message>
    <message>
        <source>%1 × %2, %3, from %4</source>
        <translation>%1 × %2, %3, von %4</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1, %2, %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>severity letter, rule</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 in frame %3: %4 (%5)</source>
        <translation>%1 %2 in Frame %3: %4 (%5)</translation>
    </message>
    <message>
        <source>time, after the row before</source>
        <translation>Zeit, nach der Zeile davor</translation>
    </message>
    <message>
        <source>tap</source>
        <translation>Abgriff</translation>
    </message>
    <message>
        <source>findings, transport, waits</source>
        <translation>Befunde, Transport, Wartezeiten</translation>
    </message>
    <message>
        <source>○ Placed, ● Delivered %1 later</source>
        <translation>○ Placed, ● Delivered %1 später</translation>
    </message>
    <message>
        <source>not complete</source>
        <translation>nicht vollständig</translation>
    </message>
    <message>
        <source>Its response, #%1, has earlier times: it was captured before this Request, or the clock went back.</source>
        <translation>Ihre Antwort, #%1, hat frühere Zeiten: sie steht im Mitschnitt vor diesem Request, oder die Uhr ging zurück.</translation>
    </message>
    <message>
        <source>Answered by #%1: its first octet was captured before this Request&apos;s last, its last after %2.</source>
        <translation>Beantwortet von #%1: ihr erstes Oktett kam vor dem letzten dieses Requests, ihr letztes nach %2.</translation>
    </message>
    <message>
        <source>First octet at %1.</source>
        <translation>Erstes Oktett bei %1.</translation>
    </message>
    <message>
        <source>Refused: its receiver ended the stream with the Terminate of frame %1 (%2). It was not placed as a whole.</source>
        <translation>Abgelehnt: ihr Empfänger beendete den Strom mit dem Terminate von Frame %1 (%2). Sie wurde nicht als Ganzes platziert.</translation>
    </message>
    <message>
        <source>Not placed: its receiver had ended the stream before it, with the Terminate of frame %1 (%2).</source>
        <translation>Nicht platziert: ihr Empfänger hatte den Strom vorher beendet, mit dem Terminate von Frame %1 (%2).</translation>
    </message>
    <message>
        <source>captured before its Request</source>
        <translation>im Mitschnitt vor ihrem Request</translation>
    </message>
    <message>
        <source>the clock went back</source>
        <translation>die Uhr ging zurück</translation>
    </message>
    <message>
        <source>refused, not placed</source>
        <translation>abgelehnt, nicht platziert</translation>
    </message>
    <message>
        <source>RDMAP header of %1</source>
        <translation>RDMAP-Header von %1</translation>
    </message>
    <message>
        <source>%1, MSN %2</source>
        <translation>%1, MSN %2</translation>
    </message>
    <message>
        <source>no message for %1</source>
        <translation>%1 lang keine Nachricht</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>findings</source>
        <translation>Befunde</translation>
    </message>
</context>
<context>
    <name>LogMatchTable</name>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>; </source>
        <translation>; </translation>
    </message>
    <message>
        <source>QP</source>
        <translation>QP</translation>
    </message>
    <message>
        <source>A - B</source>
        <translation>A - B</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>What speaks for it</source>
        <translation>Was dafür spricht</translation>
    </message>
</context>
<context>
    <name>LogTable</name>
    <message>
        <source>%1 It is %2 (%3).</source>
        <translation>%1 Es ist %2 (%3).</translation>
    </message>
    <message>
        <source>%1 It says: %2.</source>
        <translation>%1 Sie sagt: %2.</translation>
    </message>
    <message>
        <source>its messages name the STag %1</source>
        <translation>seine Nachrichten nennen den STag %1</translation>
    </message>
    <message>
        <source>it is %1</source>
        <translation>es ist %1</translation>
    </message>
    <message>
        <source>one end is %1</source>
        <translation>ein Ende ist %1</translation>
    </message>
    <message>
        <source>one host is %1, at another port</source>
        <translation>ein Host ist %1, an einem anderen Port</translation>
    </message>
    <message>
        <source>one host is %1</source>
        <translation>ein Host ist %1</translation>
    </message>
    <message>
        <source>one port is %1</source>
        <translation>ein Port ist %1</translation>
    </message>
    <message>
        <source>a Terminate of it says %1</source>
        <translation>ein Terminate davon sagt %1</translation>
    </message>
    <message>
        <source>the finding %1 names the STag %2</source>
        <translation>der Befund %1 nennt den STag %2</translation>
    </message>
    <message>
        <source>it has the finding %1</source>
        <translation>es hat den Befund %1</translation>
    </message>
    <message>
        <source>The other end sent a Terminate and gave up the connection.</source>
        <translation>Das andere Ende sandte ein Terminate und gab die Verbindung auf.</translation>
    </message>
    <message>
        <source>A Terminate came on the wrong queue or with a wrong MSN or MO.</source>
        <translation>Ein Terminate kam auf der falschen Queue oder mit falscher MSN oder MO.</translation>
    </message>
    <message>
        <source>The CRC of an FPDU that was received does not match its octets: they changed on the way, or the sender computed it wrongly. This end then sends a Terminate.</source>
        <translation>Die CRC einer empfangenen FPDU passt nicht zu ihren Oktetten: sie wurden unterwegs verändert, oder der Sender hat sie falsch berechnet. Dieses Ende sendet dann ein Terminate.</translation>
    </message>
    <message>
        <source>A Read Response names another STag than the Read Request that it answers.</source>
        <translation>Eine Read Response nennt einen anderen STag als der Read Request, den sie beantwortet.</translation>
    </message>
    <message>
        <source>A Read Response has another Tagged Offset than its Read Request asked for.</source>
        <translation>Eine Read Response hat einen anderen Tagged Offset, als ihr Read Request verlangte.</translation>
    </message>
    <message>
        <source>A Read Response has another length than its Read Request asked for.</source>
        <translation>Eine Read Response hat eine andere Länge, als ihr Read Request verlangte.</translation>
    </message>
    <message>
        <source>The STag changed inside an RDMA Write.</source>
        <translation>Der STag wechselte innerhalb eines RDMA Write.</translation>
    </message>
    <message>
        <source>The Tagged Offsets inside an RDMA Write do not follow each other.</source>
        <translation>Die Tagged Offsets innerhalb eines RDMA Write folgen nicht aufeinander.</translation>
    </message>
    <message>
        <source>A Send came on another queue than queue 0.</source>
        <translation>Ein Send kam auf einer anderen Queue als Queue 0.</translation>
    </message>
    <message>
        <source>The MSN of a Send skips or repeats a number.</source>
        <translation>Die MSN eines Send überspringt oder wiederholt eine Nummer.</translation>
    </message>
    <message>
        <source>The MO of a Send does not follow what came before it.</source>
        <translation>Die MO eines Send schließt nicht an das an, was davor kam.</translation>
    </message>
    <message>
        <source>A Read Request carries octets after its header.</source>
        <translation>Ein Read Request trägt Oktette hinter seinem Header.</translation>
    </message>
    <message>
        <source>The other end sent more RDMA Read Requests than may be outstanding here: more than this end&apos;s IRD.</source>
        <translation>Das andere Ende sandte mehr RDMA Read Requests, als hier offen sein dürfen: mehr als die IRD dieses Endes.</translation>
    </message>
    <message>
        <source>A Read Response came that nobody had asked for.</source>
        <translation>Eine Read Response kam, die niemand verlangt hatte.</translation>
    </message>
    <message>
        <source>The DDP version of a DDP segment is not 1.</source>
        <translation>Die DDP-Version eines DDP-Segments ist nicht 1.</translation>
    </message>
    <message>
        <source>The RDMAP version of a message is not 1.</source>
        <translation>Die RDMAP-Version einer Nachricht ist nicht 1.</translation>
    </message>
    <message>
        <source>An RDMAP opcode that this end does not know: an atomic or Immediate Data, perhaps.</source>
        <translation>Ein RDMAP-Opcode, den dieses Ende nicht kennt: vielleicht ein Atomic oder Immediate Data.</translation>
    </message>
    <message>
        <source>A message began while another one of its kind was not at its end.</source>
        <translation>Eine Nachricht begann, während eine andere ihrer Art nicht zu Ende war.</translation>
    </message>
    <message>
        <source>This end rejects the MPA Request: its CRC or marker setting is not what this end is set to, or its private data is too short. The digits are: CRC asked, required and strict here; markers asked.</source>
        <translation>Dieses Ende weist den MPA Request ab: seine Einstellung für CRC oder Marker ist nicht die dieses Endes, oder seine Private Data sind zu kurz. Die Ziffern sind: CRC verlangt, hier gefordert und strikt; Marker verlangt.</translation>
    </message>
    <message>
        <source>The MPA Reply asks for markers, or for a CRC setting that this end does not allow. The digits are: CRC in the Reply, required and strict here; markers in the Reply.</source>
        <translation>Der MPA Reply verlangt Marker oder eine CRC-Einstellung, die dieses Ende nicht zulässt. Die Ziffern sind: CRC im Reply, hier gefordert und strikt; Marker im Reply.</translation>
    </message>
    <message>
        <source>The MPA Reply to an enhanced Request is not an enhanced one of revision 2.</source>
        <translation>Der MPA Reply auf einen erweiterten Request ist kein erweiterter der Revision 2.</translation>
    </message>
    <message>
        <source>The MPA Reply offers none of the RTR messages that this end asked for; it sends a Terminate.</source>
        <translation>Der MPA Reply bietet keine der RTR-Nachrichten, die dieses Ende verlangte; es sendet ein Terminate.</translation>
    </message>
    <message>
        <source>The MPA Reply does not offer the RTR message that this end sends, or does not echo peer-to-peer mode; it sends a Terminate.</source>
        <translation>Der MPA Reply bietet nicht die RTR-Nachricht, die dieses Ende sendet, oder bestätigt den Peer-to-Peer-Modus nicht; es sendet ein Terminate.</translation>
    </message>
    <message>
        <source>The read depths of the MPA Reply do not fit this end&apos;s: its ORD is above this end&apos;s IRD, or its IRD below this end&apos;s ORD. This end sends a Terminate.</source>
        <translation>Die Lesetiefen des MPA Reply passen nicht zu denen dieses Endes: seine ORD liegt über der IRD dieses Endes, oder seine IRD unter der ORD dieses Endes. Dieses Ende sendet ein Terminate.</translation>
    </message>
    <message>
        <source>The other end closed the connection after an MPA Request of revision 2; this end tries again with revision 1, without enhanced connection setup.</source>
        <translation>Das andere Ende schloss die Verbindung nach einem MPA Request der Revision 2; dieses Ende versucht es noch einmal mit Revision 1, ohne erweiterten Verbindungsaufbau.</translation>
    </message>
    <message>
        <source>A Terminate came for a connection that this end has already given up.</source>
        <translation>Ein Terminate kam für eine Verbindung, die dieses Ende schon aufgegeben hat.</translation>
    </message>
    <message>
        <source>The adapter reports an error of a queue pair.</source>
        <translation>Der Adapter meldet einen Fehler eines Queue Pairs.</translation>
    </message>
    <message>
        <source>The adapter completed a work request with an error.</source>
        <translation>Der Adapter schloss einen Work Request mit einem Fehler ab.</translation>
    </message>
    <message>
        <source>The adapter reports an asynchronous event of a queue pair.</source>
        <translation>Der Adapter meldet ein asynchrones Ereignis eines Queue Pairs.</translation>
    </message>
    <message>
        <source>What came first on the connection is no MPA startup frame: another program speaks on this port, or both ends sent a Request.</source>
        <translation>Was auf der Verbindung zuerst kam, ist kein MPA-Startup-Frame: ein anderes Programm spricht auf diesem Port, oder beide Enden sandten einen Request.</translation>
    </message>
    <message>
        <source>A Send came and no receive buffer was posted for it.</source>
        <translation>Ein Send kam, und kein Empfangspuffer war dafür bereitgestellt.</translation>
    </message>
    <message>
        <source>The other end sent more RDMA Read Requests than this end&apos;s IRD allows.</source>
        <translation>Das andere Ende sandte mehr RDMA Read Requests, als die IRD dieses Endes erlaubt.</translation>
    </message>
    <message>
        <source>TCP gave the connection up: the other end did not acknowledge for too long.</source>
        <translation>TCP gab die Verbindung auf: das andere Ende bestätigte zu lange nichts.</translation>
    </message>
    <message>
        <source>A message named memory that it may not touch: a wrong STag, an offset out of bounds, or a right that is missing.</source>
        <translation>Eine Nachricht nannte Speicher, den sie nicht berühren darf: ein falscher STag, ein Offset außerhalb der Grenzen oder ein fehlendes Recht.</translation>
    </message>
    <message>
        <source>A message could not be carried out as the protocol has it.</source>
        <translation>Eine Nachricht konnte nicht so ausgeführt werden, wie es das Protokoll vorsieht.</translation>
    </message>
    <message>
        <source>A work request of this host named memory that it may not touch.</source>
        <translation>Ein Work Request dieses Hosts nannte Speicher, den er nicht berühren darf.</translation>
    </message>
    <message>
        <source>The adapter gave the queue pair up after an error inside this host.</source>
        <translation>Der Adapter gab das Queue Pair nach einem Fehler in diesem Host auf.</translation>
    </message>
    <message>
        <source>A completion queue of this host was full: nothing on the wire is wrong, its size is.</source>
        <translation>Eine Completion Queue dieses Hosts war voll: auf der Leitung ist nichts falsch, wohl aber ihre Größe.</translation>
    </message>
    <message>
        <source>The other end sent a Terminate.</source>
        <translation>Das andere Ende sandte ein Terminate.</translation>
    </message>
    <message>
        <source>The MPA revision of the other end&apos;s startup frame is not supported here.</source>
        <translation>Die MPA-Revision im Startup-Frame des anderen Endes wird hier nicht unterstützt.</translation>
    </message>
    <message>
        <source>The other end&apos;s MPA startup frame is malformed.</source>
        <translation>Der MPA-Startup-Frame des anderen Endes ist fehlerhaft.</translation>
    </message>
    <message>
        <source>The other end did not answer while the TCP connection was made.</source>
        <translation>Das andere Ende antwortete nicht, während die TCP-Verbindung aufgebaut wurde.</translation>
    </message>
    <message>
        <source>The NVMe target rejected the connection; its reason is in the private data of the MPA Reply.</source>
        <translation>Das NVMe-Target wies die Verbindung ab; der Grund steht in den Private Data des MPA Reply.</translation>
    </message>
    <message>
        <source>An NVMe command was not answered in time. On the wire: a request without its response, a closed window, or losses.</source>
        <translation>Ein NVMe-Kommando wurde nicht rechtzeitig beantwortet. Auf der Leitung: eine Anfrage ohne Antwort, ein geschlossenes Fenster oder Verluste.</translation>
    </message>
    <message>
        <source>The adapter completed a work request of NVMe over RDMA with the error that the line names.</source>
        <translation>Der Adapter schloss einen Work Request von NVMe über RDMA mit dem Fehler ab, den die Zeile nennt.</translation>
    </message>
    <message>
        <source>The NFS server rejected the RDMA connection.</source>
        <translation>Der NFS-Server wies die RDMA-Verbindung ab.</translation>
    </message>
    <message>
        <source>The SMB client had lost its RDMA connection and made another one: the one before it failed.</source>
        <translation>Der SMB-Client hatte seine RDMA-Verbindung verloren und eine andere aufgebaut: die davor schlug fehl.</translation>
    </message>
    <message>
        <source>SMB Direct gave the connection up because nothing it had asked for came to its end in time: the other end hangs, octets are lost, or send credits are used up.</source>
        <translation>SMB Direct gab die Verbindung auf, weil nichts von dem, was es verlangt hatte, rechtzeitig zu Ende kam: das andere Ende hängt, Oktette gehen verloren, oder die Send Credits sind verbraucht.</translation>
    </message>
    <message>
        <source>The connection stands, but the ends of SMB Direct have no version in common.</source>
        <translation>Die Verbindung steht, aber die Enden von SMB Direct haben keine Version gemeinsam.</translation>
    </message>
    <message>
        <source>an STag that is not in use</source>
        <translation>ein STag, der nicht in Gebrauch ist</translation>
    </message>
    <message>
        <source>an STag that is invalid</source>
        <translation>ein ungültiger STag</translation>
    </message>
    <message>
        <source>an STag of another queue pair</source>
        <translation>ein STag eines anderen Queue Pairs</translation>
    </message>
    <message>
        <source>an STag of another protection domain</source>
        <translation>ein STag einer anderen Protection Domain</translation>
    </message>
    <message>
        <source>an STag with a wrong key</source>
        <translation>ein STag mit falschem Schlüssel</translation>
    </message>
    <message>
        <source>an STag that does not exist</source>
        <translation>ein STag, den es nicht gibt</translation>
    </message>
    <message>
        <source>an offset outside of the STag&apos;s memory</source>
        <translation>ein Offset außerhalb des Speichers des STags</translation>
    </message>
    <message>
        <source>an access that the STag&apos;s memory does not allow</source>
        <translation>ein Zugriff, den der Speicher des STags nicht erlaubt</translation>
    </message>
    <message>
        <source>a Tagged Offset that wraps</source>
        <translation>ein Tagged Offset, der überläuft</translation>
    </message>
    <message>
        <source>a close with something left to do</source>
        <translation>ein Schließen, bei dem noch etwas zu tun war</translation>
    </message>
    <message>
        <source>a close of TCP with something left to do</source>
        <translation>ein Schließen von TCP, bei dem noch etwas zu tun war</translation>
    </message>
    <message>
        <source>an RDMA Read although this end&apos;s ORD is 0</source>
        <translation>ein RDMA Read, obwohl die ORD dieses Endes 0 ist</translation>
    </message>
    <message>
        <source>an STag of 0 where none may be</source>
        <translation>ein STag von 0, wo keiner sein darf</translation>
    </message>
    <message>
        <source>more RDMA Read Requests than this end&apos;s IRD allows</source>
        <translation>mehr RDMA Read Requests, als die IRD dieses Endes erlaubt</translation>
    </message>
    <message>
        <source>an MSN that skips or repeats a number</source>
        <translation>eine MSN, die eine Nummer überspringt oder wiederholt</translation>
    </message>
    <message>
        <source>a Send that is longer than the buffer that was posted for it</source>
        <translation>ein Send, der länger ist als der dafür bereitgestellte Puffer</translation>
    </message>
    <message>
        <source>a DDP version other than 1</source>
        <translation>eine andere DDP-Version als 1</translation>
    </message>
    <message>
        <source>an MO that does not follow what came before it</source>
        <translation>eine MO, die nicht an das anschließt, was davor kam</translation>
    </message>
    <message>
        <source>a Send for which no buffer was posted</source>
        <translation>ein Send, für den kein Puffer bereitgestellt war</translation>
    </message>
    <message>
        <source>a queue number that does not exist</source>
        <translation>eine Queue-Nummer, die es nicht gibt</translation>
    </message>
    <message>
        <source>a DDP segment without the Last flag where it must be</source>
        <translation>ein DDP-Segment ohne das Last-Flag, wo es sein muss</translation>
    </message>
    <message>
        <source>an RDMAP version other than 1</source>
        <translation>eine andere RDMAP-Version als 1</translation>
    </message>
    <message>
        <source>an RDMAP opcode that was not expected</source>
        <translation>ein RDMAP-Opcode, der nicht erwartet wurde</translation>
    </message>
    <message>
        <source>a Read Request that is malformed</source>
        <translation>ein fehlerhafter Read Request</translation>
    </message>
    <message>
        <source>an RDMA Write or Read Response that is wrong</source>
        <translation>ein falscher RDMA Write oder eine falsche Read Response</translation>
    </message>
    <message>
        <source>a TCP option that is not allowed</source>
        <translation>eine TCP-Option, die nicht erlaubt ist</translation>
    </message>
    <message>
        <source>a reset of the TCP connection by the other end</source>
        <translation>ein Reset der TCP-Verbindung durch das andere Ende</translation>
    </message>
    <message>
        <source>a marker that does not point to the FPDU&apos;s length</source>
        <translation>ein Marker, der nicht auf die Länge der FPDU zeigt</translation>
    </message>
    <message>
        <source>a CRC that does not match the octets of its FPDU</source>
        <translation>eine CRC, die nicht zu den Oktetten ihrer FPDU passt</translation>
    </message>
    <message>
        <source>a TCP segment that is too small</source>
        <translation>ein zu kleines TCP-Segment</translation>
    </message>
    <message>
        <source>a Terminate of the other end</source>
        <translation>ein Terminate des anderen Endes</translation>
    </message>
    <message>
        <source>too many retransmissions without an answer of the other end</source>
        <translation>zu viele Wiederholungen ohne Antwort des anderen Endes</translation>
    </message>
    <message>
        <source>keep-alives that the other end did not answer</source>
        <translation>Keep-alives, die das andere Ende nicht beantwortete</translation>
    </message>
    <message>
        <source>doubts whether the other end can still be reached</source>
        <translation>Zweifel, ob das andere Ende noch zu erreichen ist</translation>
    </message>
    <message>
        <source>a reset that this end sent</source>
        <translation>ein Reset, das dieses Ende sandte</translation>
    </message>
    <message>
        <source>a Terminate that this end sent</source>
        <translation>ein Terminate, das dieses Ende sandte</translation>
    </message>
    <message>
        <source>an error inside the adapter</source>
        <translation>ein Fehler im Adapter</translation>
    </message>
    <message>
        <source>an STag that is invalid, 0, or has a wrong key</source>
        <translation>ein STag, der ungültig oder 0 ist oder einen falschen Schlüssel hat</translation>
    </message>
    <message>
        <source>an attempt to invalidate memory that is shared</source>
        <translation>ein Versuch, geteilten Speicher ungültig zu machen</translation>
    </message>
    <message>
        <source>an attempt to invalidate memory with windows bound to it</source>
        <translation>ein Versuch, Speicher ungültig zu machen, an den Windows gebunden sind</translation>
    </message>
    <message>
        <source>a work request that was given up with its queue pair: what came before it counts</source>
        <translation>ein Work Request, der mit seinem Queue Pair aufgegeben wurde: es zählt, was davor kam</translation>
    </message>
    <message>
        <source>a wrong marker</source>
        <translation>ein falscher Marker</translation>
    </message>
    <message>
        <source>an FPDU with an invalid length</source>
        <translation>eine FPDU mit ungültiger Länge</translation>
    </message>
    <message>
        <source>an RDMAP opcode that is invalid</source>
        <translation>ein ungültiger RDMAP-Opcode</translation>
    </message>
    <message>
        <source>a queue number that is invalid</source>
        <translation>eine ungültige Queue-Nummer</translation>
    </message>
    <message>
        <source>a wrong MSN</source>
        <translation>eine falsche MSN</translation>
    </message>
    <message>
        <source>a Tagged flag that does not fit the opcode</source>
        <translation>ein Tagged-Flag, das nicht zum Opcode passt</translation>
    </message>
    <message>
        <source>an MO other than 0 in a Terminate or Read Request</source>
        <translation>eine andere MO als 0 in einem Terminate oder Read Request</translation>
    </message>
    <message>
        <source>an MSN that skips a number</source>
        <translation>eine MSN, die eine Nummer überspringt</translation>
    </message>
    <message>
        <source>an MSN out of range</source>
        <translation>eine MSN außerhalb des Bereichs</translation>
    </message>
</context>
<context>
    <name>PictureExport</name>
    <message>
        <source>&amp;Save picture…</source>
        <translation>Bild &amp;speichern…</translation>
    </message>
    <message>
        <source>Picture (*.png);;Drawing (*.svg);;Values (*.csv)</source>
        <translation>Bild (*.png);;Zeichnung (*.svg);;Werte (*.csv)</translation>
    </message>
    <message>
        <source>Picture (*.png);;Drawing (*.svg)</source>
        <translation>Bild (*.png);;Zeichnung (*.svg)</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
    <message>
        <source>The picture is in %1.</source>
        <translation>Das Bild ist in %1.</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>%1 kann nicht geschrieben werden.</translation>
    </message>
</context>
<context>
    <name>Program</name>
    <message>
        <source>Shows what iWARP queue pairs did and what went wrong, from captures or a running iwarpscoped.</source>
        <translation>Zeigt, was iWARP-Queue-Pairs taten und was schiefging: aus Mitschnitten oder von einem laufenden iwarpscoped.</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Captures to open, one after the other.</source>
        <translation>Mitschnitte, die nacheinander geöffnet werden.</translation>
    </message>
    <message>
        <source>[file...]</source>
        <translation>[Datei...]</translation>
    </message>
    <message>
        <source>Connect to the daemon at this Unix socket.</source>
        <translation>Verbindet mit dem Dienst an diesem Unix-Socket.</translation>
    </message>
    <message>
        <source>path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Connect to the daemon at this address and port, with TLS.</source>
        <translation>Verbindet mit dem Dienst an dieser Adresse und diesem Port, mit TLS.</translation>
    </message>
    <message>
        <source>host:port</source>
        <translation>Host:Port</translation>
    </message>
    <message>
        <source>Certificate of this user (PEM).</source>
        <translation>Zertifikat dieses Benutzers (PEM).</translation>
    </message>
    <message>
        <source>Key of the certificate (PEM).</source>
        <translation>Schlüssel des Zertifikats (PEM).</translation>
    </message>
    <message>
        <source>Certificate that signs the daemon&apos;s (PEM).</source>
        <translation>Zertifikat, das das des Dienstes unterzeichnet (PEM).</translation>
    </message>
    <message>
        <source>Write a report of this capture as HTML, without a display, and end.</source>
        <translation>Schreibt einen Bericht über diesen Mitschnitt als HTML, ohne Bildschirm, und endet.</translation>
    </message>
    <message>
        <source>The report&apos;s file.</source>
        <translation>Die Datei des Berichts.</translation>
    </message>
    <message>
        <source>Write a picture of the window as PNG once the files are read, and end.</source>
        <translation>Schreibt ein Bild des Fensters als PNG, sobald die Dateien gelesen sind, und endet.</translation>
    </message>
    <message>
        <source>Report of this queue pair alone.</source>
        <translation>Bericht nur über dieses Queue Pair.</translation>
    </message>
    <message>
        <source>number</source>
        <translation>Nummer</translation>
    </message>
    <message>
        <source>Either files or a daemon can be opened, not both.</source>
        <translation>Entweder Dateien oder ein Dienst können geöffnet werden, nicht beides.</translation>
    </message>
    <message>
        <source>A report needs both --export-report and --output.</source>
        <translation>Ein Bericht braucht sowohl --export-report als auch --output.</translation>
    </message>
    <message>
        <source>--picture needs a file to show.</source>
        <translation>--picture braucht eine Datei, die zu zeigen ist.</translation>
    </message>
    <message>
        <source>%1 is no number of a queue pair.</source>
        <translation>%1 ist keine Nummer eines Queue Pairs.</translation>
    </message>
    <message>
        <source>--qp belongs to --export-report.</source>
        <translation>--qp gehört zu --export-report.</translation>
    </message>
</context>
<context>
    <name>QpFilter</name>
    <message>
        <source>The filter is too long.</source>
        <translation>Der Filter ist zu lang.</translation>
    </message>
    <message>
        <source>This parenthesis closes none.</source>
        <translation>Diese Klammer schließt keine.</translation>
    </message>
    <message>
        <source>A field has to stand before this operator.</source>
        <translation>Vor diesem Operator muss ein Feld stehen.</translation>
    </message>
    <message>
        <source>Something has to follow: a field or a word.</source>
        <translation>Es muss etwas folgen: ein Feld oder ein Wort.</translation>
    </message>
    <message>
        <source>This is nested too deeply.</source>
        <translation>Das ist zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>Something has to stand before this parenthesis.</source>
        <translation>Vor dieser Klammer muss etwas stehen.</translation>
    </message>
    <message>
        <source>Something has to stand on both sides of “and” and “or”.</source>
        <translation>Auf beiden Seiten von „and“ und „or“ muss etwas stehen.</translation>
    </message>
    <message>
        <source>This parenthesis is not closed.</source>
        <translation>Diese Klammer ist nicht geschlossen.</translation>
    </message>
    <message>
        <source>This quotation does not end.</source>
        <translation>Dieses Zitat endet nicht.</translation>
    </message>
    <message>
        <source>There is nothing between these quotation marks.</source>
        <translation>Zwischen diesen Anführungszeichen steht nichts.</translation>
    </message>
    <message>
        <source>There is no field “%1”.</source>
        <translation>Es gibt kein Feld „%1“.</translation>
    </message>
    <message>
        <source>A value has to follow the operator.</source>
        <translation>Auf den Operator muss ein Wert folgen.</translation>
    </message>
    <message>
        <source>“%1” is no text: compare it with == or !=.</source>
        <translation>„%1“ ist kein Text: mit == oder != vergleichen.</translation>
    </message>
    <message>
        <source>Values of “%1” have no order: compare it with == or !=.</source>
        <translation>Werte von „%1“ haben keine Ordnung: mit == oder != vergleichen.</translation>
    </message>
    <message>
        <source>“%1” is no value of “%2”. There are: %3.</source>
        <translation>„%1“ ist kein Wert von „%2“. Es gibt: %3.</translation>
    </message>
    <message>
        <source>“%1” is yes or no, not “%2”.</source>
        <translation>„%1“ ist yes oder no, nicht „%2“.</translation>
    </message>
    <message>
        <source>“%1” is no duration such as 250ms, 5s or 2min.</source>
        <translation>„%1“ ist keine Dauer wie 250ms, 5s oder 2min.</translation>
    </message>
    <message>
        <source>“%1” is no number such as 12, 1.5M or 64Ki.</source>
        <translation>„%1“ ist keine Zahl wie 12, 1.5M oder 64Ki.</translation>
    </message>
</context>
<context>
    <name>QpWords</name>
    <message>
        <source>QP</source>
        <translation>QP</translation>
    </message>
    <message>
        <source>Number of the queue pair</source>
        <translation>Nummer des Queue Pairs</translation>
    </message>
    <message>
        <source>A → B</source>
        <translation>A → B</translation>
    </message>
    <message>
        <source>The two ends. A is the Initiator (over SCTP the active side) where the startup was seen (RFC 5044 §7.1, RFC 5043 §5)</source>
        <translation>Die beiden Seiten. A ist der Initiator (über SCTP die aktive Seite), wo der Startup zu sehen war (RFC 5044 §7.1, RFC 5043 §5)</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Where it is in its life, from startup to close (RFC 5044 §7, RFC 5043 §5, RFC 5040 §6.2)</source>
        <translation>Wo es in seinem Leben steht, vom Startup bis zum Abbau (RFC 5044 §7, RFC 5043 §5, RFC 5040 §6.2)</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>What became of it</source>
        <translation>Was aus ihm wurde</translation>
    </message>
    <message>
        <source>Worst finding</source>
        <translation>Schwerster Befund</translation>
    </message>
    <message>
        <source>The first finding of the highest severity: E error, W warning, N note</source>
        <translation>Der erste Befund der höchsten Schwere: E Fehler, W Warnung, N Hinweis</translation>
    </message>
    <message>
        <source>ULP</source>
        <translation>ULP</translation>
    </message>
    <message>
        <source>Upper Layer Protocol, as far as it shows</source>
        <translation>Protokoll der höheren Schicht, soweit es sich zeigt</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>ULP payload of both directions, octets a second, now</source>
        <translation>ULP-Nutzdaten beider Richtungen, Oktette je Sekunde, jetzt</translation>
    </message>
    <message>
        <source>Last minute</source>
        <translation>Letzte Minute</translation>
    </message>
    <message>
        <source>ULP payload second by second: the last 60 s, or those before its end</source>
        <translation>ULP-Nutzdaten Sekunde für Sekunde: die letzten 60 s oder die vor seinem Ende</translation>
    </message>
    <message>
        <source>Outstanding</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>RDMA Read and Atomic Requests that wait for their response, against the limit of each end (RFC 6581 §9.1)</source>
        <translation>RDMA Read Requests und Atomic Requests, die auf ihre Antwort warten, gegen die Grenze jeder Seite (RFC 6581 §9.1)</translation>
    </message>
    <message>
        <source>IRD/ORD</source>
        <translation>IRD/ORD</translation>
    </message>
    <message>
        <source>RDMA Reads that A / that B may have outstanding, in force: the sender&apos;s ORD, the receiver&apos;s IRD (RFC 6581 §9.1)</source>
        <translation>RDMA Reads, die A / die B offen haben darf, wie es gilt: die ORD des Senders, die IRD des Empfängers (RFC 6581 §9.1)</translation>
    </message>
    <message>
        <source>CRC</source>
        <translation>CRC</translation>
    </message>
    <message>
        <source>Whether FPDUs carry a CRC that is in use (RFC 5044 §4.4). ~ inferred from the stream</source>
        <translation>Ob FPDUs eine CRC tragen, die gilt (RFC 5044 §4.4). ~ aus dem Strom erschlossen</translation>
    </message>
    <message>
        <source>Markers</source>
        <translation>Marker</translation>
    </message>
    <message>
        <source>Whether the streams carry markers; where the directions differ, A&apos;s / B&apos;s (RFC 5044 §4.3). ~ inferred from the stream</source>
        <translation>Ob die Ströme Marker tragen; wo die Richtungen sich unterscheiden, der von A / der von B (RFC 5044 §4.3). ~ aus dem Strom erschlossen</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>RDMA messages of both directions (RFC 5040 §4). + at least: some octets were passed over</source>
        <translation>RDMA-Nachrichten beider Richtungen (RFC 5040 §4). + mindestens: einige Oktette wurden übergangen</translation>
    </message>
    <message>
        <source>Octets</source>
        <translation>Oktette</translation>
    </message>
    <message>
        <source>ULP payload of both directions. + at least: some octets were passed over</source>
        <translation>ULP-Nutzdaten beider Richtungen. + mindestens: einige Oktette wurden übergangen</translation>
    </message>
    <message>
        <source>Retransmitted</source>
        <translation>Wiederholt</translation>
    </message>
    <message>
        <source>Octets that TCP or SCTP sent again</source>
        <translation>Oktette, die TCP oder SCTP noch einmal sandte</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>Lücken</translation>
    </message>
    <message>
        <source>Octets of its TCP streams, or messages over SCTP, that the capture does not have</source>
        <translation>Oktette seiner TCP-Ströme oder, über SCTP, Nachrichten, die der Mitschnitt nicht hat</translation>
    </message>
    <message>
        <source>Lost frames</source>
        <translation>Verlorene Frames</translation>
    </message>
    <message>
        <source>Frames that the capture lost while it was there, whoever&apos;s they were</source>
        <translation>Frames, die der Mitschnitt verlor, während es da war, wessen auch immer</translation>
    </message>
    <message>
        <source>Began</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Time of its first frame, UTC</source>
        <translation>Zeit seines ersten Frames, UTC</translation>
    </message>
    <message>
        <source>Lasted</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>From its first frame to its last</source>
        <translation>Vom ersten bis zum letzten Frame</translation>
    </message>
    <message>
        <source>1 octet</source>
        <translation>1 Oktett</translation>
    </message>
    <message>
        <source>%1 octets</source>
        <translation>%1 Oktette</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>1 QP</source>
        <translation>1 QP</translation>
    </message>
    <message>
        <source>%1 QPs</source>
        <translation>%1 QPs</translation>
    </message>
    <message>
        <source>all ended</source>
        <translation>alle beendet</translation>
    </message>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>A → B: %1; B → A: %2</source>
        <translation>A → B: %1; B → A: %2</translation>
    </message>
    <message>
        <source>There is no finding.</source>
        <translation>Es gibt keinen Befund.</translation>
    </message>
    <message>
        <source>Errors: %1, warnings: %2, notes: %3</source>
        <translation>Fehler: %1, Warnungen: %2, Hinweise: %3</translation>
    </message>
    <message>
        <source>Outcome: %1; caused by: %2; how sure: %3</source>
        <translation>Ausgang: %1; verursacht von: %2; wie sicher: %3</translation>
    </message>
    <message>
        <source>%1 stream %2</source>
        <translation>%1 Stream %2</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>%1 %L2 %3</source>
        <translation>%1 %L2 %3</translation>
    </message>
    <message>
        <source>Queue pairs</source>
        <translation>Queue Pairs</translation>
    </message>
    <message>
        <source>What became of them</source>
        <translation>Was aus ihnen wurde</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>errors: %L1, warnings: %L2, notes: %L3</source>
        <translation>Fehler: %L1, Warnungen: %L2, Hinweise: %L3</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>QP</source>
        <translation>QP</translation>
    </message>
    <message>
        <source>A (Initiator where known)</source>
        <translation>A (Initiator, wo bekannt)</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>ULP</source>
        <translation>ULP</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>CRC</source>
        <translation>CRC</translation>
    </message>
    <message>
        <source>Markers</source>
        <translation>Marker</translation>
    </message>
    <message>
        <source>Reads A/B</source>
        <translation>Reads A/B</translation>
    </message>
    <message>
        <source>Findings E/W/N</source>
        <translation>Befunde E/W/N</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ausgang</translation>
    </message>
    <message>
        <source>%1/%2/%3</source>
        <translation>%1/%2/%3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keines</translation>
    </message>
    <message>
        <source>QP %1: %2</source>
        <translation>QP %1: %2</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Findings about no single queue pair</source>
        <translation>Befunde über kein einzelnes Queue Pair</translation>
    </message>
    <message>
        <source>iwarpscope report: %1</source>
        <translation>iwarpscope-Bericht: %1</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message numerus="yes">
        <source>%n of them are not shown in detail.</source>
        <translation>
            <numerusform>Eines davon wird nicht im Einzelnen gezeigt.</numerusform>
            <numerusform>%n davon werden nicht im Einzelnen gezeigt.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>%1, but with errors</source>
        <translation>%1, aber mit Fehlern</translation>
    </message>
    <message>
        <source>%1, but with warnings</source>
        <translation>%1, aber mit Warnungen</translation>
    </message>
</context>
<context>
    <name>TableExport</name>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
</context>
<context>
    <name>TimelineSeries</name>
    <message>
        <source>A to B</source>
        <translation>A nach B</translation>
    </message>
    <message>
        <source>B to A</source>
        <translation>B nach A</translation>
    </message>
    <message>
        <source>retransmission</source>
        <translation>Wiederholung</translation>
    </message>
    <message>
        <source>out of order</source>
        <translation>außer der Reihe</translation>
    </message>
    <message>
        <source>capture gap</source>
        <translation>Lücke im Mitschnitt</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>window closed</source>
        <translation>Fenster geschlossen</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>of A</source>
        <translation>von A</translation>
    </message>
    <message>
        <source>of B</source>
        <translation>von B</translation>
    </message>
    <message>
        <source>of A, no response seen</source>
        <translation>von A, keine Antwort gesehen</translation>
    </message>
    <message>
        <source>of B, no response seen</source>
        <translation>von B, keine Antwort gesehen</translation>
    </message>
    <message>
        <source>limit of Reads of A</source>
        <translation>Grenze der Reads von A</translation>
    </message>
    <message>
        <source>limit of Reads of B</source>
        <translation>Grenze der Reads von B</translation>
    </message>
    <message>
        <source>half of them within</source>
        <translation>die Hälfte binnen</translation>
    </message>
    <message>
        <source>99 of 100 within</source>
        <translation>99 von 100 binnen</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>längste</translation>
    </message>
</context>
<context>
    <name>Wireshark</name>
    <message>
        <source>Wireshark is not installed: there is no program %1 on the PATH.</source>
        <translation>Wireshark ist nicht installiert: Es gibt kein Programm %1 im PATH.</translation>
    </message>
    <message>
        <source>%1 cannot be started.</source>
        <translation>%1 lässt sich nicht starten.</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln Nachricht</numerusform>
            <numerusform>%Ln Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>completed</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>stalled</source>
        <translation>steht still</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1, with a fault on the way, certainly by %2</source>
        <translation>%1, mit einem Fehler unterwegs, sicher durch %2</translation>
    </message>
    <message>
        <source>%1, certainly by %2</source>
        <translation>%1, sicher durch %2</translation>
    </message>
    <message>
        <source>%1, with a fault on the way, likely by %2</source>
        <translation>%1, mit einem Fehler unterwegs, wahrscheinlich durch %2</translation>
    </message>
    <message>
        <source>%1, likely by %2</source>
        <translation>%1, wahrscheinlich durch %2</translation>
    </message>
    <message>
        <source>%1, with a fault on the way, perhaps by %2</source>
        <translation>%1, mit einem Fehler unterwegs, vielleicht durch %2</translation>
    </message>
    <message>
        <source>%1, perhaps by %2</source>
        <translation>%1, vielleicht durch %2</translation>
    </message>
    <message>
        <source>A (%1)</source>
        <translation>A (%1)</translation>
    </message>
    <message>
        <source>B (%1)</source>
        <translation>B (%1)</translation>
    </message>
    <message>
        <source>the path between them</source>
        <translation>den Weg zwischen ihnen</translation>
    </message>
    <message>
        <source>%1, as far as this capture tells</source>
        <translation>%1, soweit dieser Mitschnitt es verrät</translation>
    </message>
    <message>
        <source>%1, by whom is not known</source>
        <translation>%1, durch wen ist nicht bekannt</translation>
    </message>
    <message>
        <source>Certain: the wire shows it.</source>
        <translation>Sicher: Die Leitung zeigt es.</translation>
    </message>
    <message>
        <source>Likely: it is the usual cause of what the wire shows.</source>
        <translation>Wahrscheinlich: Es ist die übliche Ursache dessen, was die Leitung zeigt.</translation>
    </message>
    <message>
        <source>Limited: octets are missing from this capture that could explain it otherwise.</source>
        <translation>Eingeschränkt: In diesem Mitschnitt fehlen Oktette, die es anders erklären könnten.</translation>
    </message>
    <message>
        <source>%1 - %2</source>
        <translation>%1 - %2</translation>
    </message>
    <message>
        <source>%1 to %2 UTC</source>
        <translation>%1 bis %2 UTC</translation>
    </message>
</context>
<context>
    <name>WorstTable</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/s</translation>
    </message>
    <message>
        <source>A message that was there waited so long for octets before it (RFC 5041 §5.3)</source>
        <translation>So lange wartete eine Nachricht, die da war, auf Oktette vor ihr (RFC 5041 §5.3)</translation>
    </message>
    <message>
        <source>The oldest request without a response had waited so long at the last frame</source>
        <translation>So lange hatte die älteste Anfrage ohne Antwort beim letzten Frame gewartet</translation>
    </message>
    <message>
        <source>Nothing was seen to wait</source>
        <translation>Es war nichts zu sehen, das wartete</translation>
    </message>
    <message>
        <source>QP</source>
        <translation>QP</translation>
    </message>
    <message>
        <source>A - B</source>
        <translation>A - B</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Longest wait</source>
        <translation>Längste Wartezeit</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Rate</translation>
    </message>
    <message>
        <source>ULP payload</source>
        <translation>ULP-Nutzdaten</translation>
    </message>
    <message>
        <source>Worst finding</source>
        <translation>Schwerster Befund</translation>
    </message>
    <message>
        <source>The longest that a message waited for octets before it (RFC 5041 §5.3), or that the oldest request without a response has waited</source>
        <translation>Die längste Zeit, die eine Nachricht auf Oktette vor ihr wartete (RFC 5041 §5.3) oder die älteste Anfrage ohne Antwort schon wartet</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicUsesModel</name>
    <message>
        <source>verified</source>
        <translation>bestätigt</translation>
    </message>
    <message>
        <source>first known value</source>
        <translation>erster bekannter Wert</translation>
    </message>
    <message>
        <source>contradiction</source>
        <translation>Widerspruch</translation>
    </message>
    <message>
        <source>cannot be judged</source>
        <translation>nicht zu beurteilen</translation>
    </message>
    <message>
        <source>no response seen</source>
        <translation>keine Antwort gesehen</translation>
    </message>
    <message>
        <source>FetchAdd %1</source>
        <translation>FetchAdd %1</translation>
    </message>
    <message>
        <source>FetchAdd %1 in fields %2</source>
        <translation>FetchAdd %1 in Feldern %2</translation>
    </message>
    <message>
        <source>CmpSwap: if %1 then %2</source>
        <translation>CmpSwap: wenn %1, dann %2</translation>
    </message>
    <message>
        <source>CmpSwap: if %1 under %2 then %3 under %4</source>
        <translation>CmpSwap: wenn %1 unter %2, dann %3 unter %4</translation>
    </message>
    <message>
        <source>Swap %1</source>
        <translation>Swap %1</translation>
    </message>
    <message>
        <source>unknown operation</source>
        <translation>unbekannte Operation</translation>
    </message>
    <message numerus="yes">
        <source>The analysis found %n result(s) that cannot be: no operation before left what was returned (RFC 7306 §5.3).</source>
        <translation>
            <numerusform>Die Auswertung fand ein Ergebnis, das nicht sein kann: Keine Operation davor hinterließ, was zurückkam (RFC 7306 §5.3).</numerusform>
            <numerusform>Die Auswertung fand %n Ergebnisse, die nicht sein können: Keine Operation davor hinterließ, was zurückkam (RFC 7306 §5.3).</numerusform>
        </translation>
    </message>
    <message>
        <source>In this order each operation found what the one before it left.</source>
        <translation>In dieser Reihenfolge fand jede Operation vor, was die vor ihr hinterließ.</translation>
    </message>
    <message>
        <source>The operations shown do not explain each other. The analysis holds none of them wrong: another queue pair, an RDMA Write or the host may have written the word.</source>
        <translation>Die gezeigten Operationen erklären einander nicht. Die Auswertung hält keine davon für falsch: Ein anderes Queue Pair, ein RDMA Write oder der Host kann das Wort geschrieben haben.</translation>
    </message>
    <message>
        <source>Operations without a response may or may not have taken effect; without them no order is complete.</source>
        <translation>Operationen ohne Antwort können gewirkt haben oder nicht; ohne sie ist keine Reihenfolge vollständig.</translation>
    </message>
    <message>
        <source>No complete order was found in the time allowed; the longest chains are shown.</source>
        <translation>In der erlaubten Zeit fand sich keine vollständige Reihenfolge; gezeigt werden die längsten Ketten.</translation>
    </message>
    <message>
        <source>may or may not have taken effect</source>
        <translation>kann gewirkt haben oder nicht</translation>
    </message>
    <message>
        <source>found %1, but the one before left %2</source>
        <translation>fand %1, aber die davor hinterließ %2</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Folge</translation>
    </message>
    <message>
        <source>In which they can have taken effect; ?: not known</source>
        <translation>In der sie gewirkt haben können; ?: nicht bekannt</translation>
    </message>
    <message>
        <source>QP</source>
        <translation>QP</translation>
    </message>
    <message>
        <source>Number of the queue pair</source>
        <translation>Nummer des Queue Pairs</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>What was asked for (RFC 7306 §5.1)</source>
        <translation>Was verlangt wurde (RFC 7306 §5.1)</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Vorgefunden</translation>
    </message>
    <message>
        <source>The original value that the Atomic Response brought</source>
        <translation>Der vorherige Wert, den die Atomic Response brachte</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Hinterlassen</translation>
    </message>
    <message>
        <source>What the operation left in the word</source>
        <translation>Was die Operation im Wort hinterließ</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>What the analysis says of this result</source>
        <translation>Was die Auswertung zu diesem Ergebnis sagt</translation>
    </message>
    <message>
        <source>Frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>Of the request and of the response</source>
        <translation>Der Anfrage und der Antwort</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>Bemerkung</translation>
    </message>
    <message>
        <source>Where the chain of values breaks</source>
        <translation>Wo die Kette der Werte reißt</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>On this result, when it cannot be: AT-14, AT-15</source>
        <translation>Zu diesem Ergebnis, wenn es nicht sein kann: AT-14, AT-15</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicView</name>
    <message>
        <source>Atomics</source>
        <translation>Atomics</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>History of the word</source>
        <translation>Geschichte des Wortes</translation>
    </message>
    <message>
        <source>Enter looks at the request in every view.</source>
        <translation>Enter zeigt die Anfrage in jeder Ansicht.</translation>
    </message>
    <message>
        <source>What the history says</source>
        <translation>Was die Geschichte sagt</translation>
    </message>
    <message>
        <source>Progress of asking other queue pairs</source>
        <translation>Fortschritt beim Befragen anderer Queue Pairs</translation>
    </message>
    <message>
        <source>No Atomic Operation was seen.</source>
        <translation>Es war keine atomare Operation zu sehen.</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>No other queue pairs have atomics at this responder</source>
        <translation>Kein anderes Queue Pair hat Atomics bei diesem Responder</translation>
    </message>
    <message numerus="yes">
        <source>Ask %n &amp;other queue pair(s) of this responder</source>
        <translation>
            <numerusform>Ein &amp;anderes Queue Pair dieses Responders befragen</numerusform>
            <numerusform>%n &amp;andere Queue Pairs dieses Responders befragen</numerusform>
        </translation>
    </message>
    <message>
        <source>Each 64-bit word on which Atomic Operations were seen, and what was done to it in an order that explains what each operation found (RFC 7306 §5). Where there is no such order, the contradiction stands beside its finding, AT-14 or AT-15. Enter shows an operation in all other views; the links lead to the findings, and a finding that is chosen elsewhere leads here.</source>
        <translation>Jedes 64-Bit-Wort, auf dem atomare Operationen gesehen wurden, und was mit ihm geschah, in einer Reihenfolge, die erklärt, was jede Operation vorfand (RFC 7306 §5). Wo es keine solche Reihenfolge gibt, steht der Widerspruch bei seinem Befund, AT-14 oder AT-15. Enter zeigt eine Operation in allen anderen Ansichten; die Links führen zu den Befunden, und ein anderswo gewählter Befund führt hierher.</translation>
    </message>
    <message>
        <source>Findings on this word</source>
        <translation>Befunde zu diesem Wort</translation>
    </message>
    <message numerus="yes">
        <source>%n operation(s) on this word of other times are hidden; the order is that of all.</source>
        <translation>
            <numerusform>1 Operation auf diesem Wort aus anderer Zeit ist verborgen; die Reihenfolge ist die aller.</numerusform>
            <numerusform>%n Operationen auf diesem Wort aus anderen Zeiten sind verborgen; die Reihenfolge ist die aller.</numerusform>
        </translation>
    </message>
    <message>
        <source>Show its &amp;finding</source>
        <translation>Seinen &amp;Befund zeigen</translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>und 1 weiterer</numerusform>
            <numerusform>und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 in frame %2</source>
        <translation>%1 in Frame %2</translation>
    </message>
    <message>
        <source>Findings on this word: %1</source>
        <translation>Befunde zu diesem Wort: %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>No Atomic Operation was asked for in the marked time.</source>
        <translation>In der markierten Zeit wurde keine atomare Operation verlangt.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln request(s) were left out to stay bounded.</source>
        <translation>
            <numerusform>1 Anfrage wurde ausgelassen, um begrenzt zu bleiben.</numerusform>
            <numerusform>%Ln Anfragen wurden ausgelassen, um begrenzt zu bleiben.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n word(s) of other times are hidden.</source>
        <translation>
            <numerusform>1 Wort aus anderer Zeit ist verborgen.</numerusform>
            <numerusform>%n Wörter aus anderen Zeiten sind verborgen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::AtomicWordsModel</name>
    <message>
        <source>The rest was not asked for.</source>
        <translation>Nach dem Rest wurde nicht gefragt.</translation>
    </message>
    <message>
        <source>There are more messages than are looked through.</source>
        <translation>Es gibt mehr Nachrichten, als durchgesehen werden.</translation>
    </message>
    <message>
        <source>contradiction</source>
        <translation>Widerspruch</translation>
    </message>
    <message>
        <source>not all can be judged</source>
        <translation>nicht alle sind zu beurteilen</translation>
    </message>
    <message>
        <source>consistent</source>
        <translation>widerspruchsfrei</translation>
    </message>
    <message>
        <source>nothing to judge by</source>
        <translation>nichts, wonach zu urteilen wäre</translation>
    </message>
    <message>
        <source>Responder</source>
        <translation>Responder</translation>
    </message>
    <message>
        <source>Whose memory it is</source>
        <translation>Wessen Speicher es ist</translation>
    </message>
    <message>
        <source>STag</source>
        <translation>STag</translation>
    </message>
    <message>
        <source>Steering Tag (RFC 5041 §4.2)</source>
        <translation>Steering Tag (RFC 5041 §4.2)</translation>
    </message>
    <message>
        <source>TO</source>
        <translation>TO</translation>
    </message>
    <message>
        <source>Tagged Offset of the word (RFC 5041 §4.2)</source>
        <translation>Tagged Offset des Wortes (RFC 5041 §4.2)</translation>
    </message>
    <message>
        <source>Operations</source>
        <translation>Operationen</translation>
    </message>
    <message>
        <source>Atomic Requests on this word (RFC 7306 §5)</source>
        <translation>Atomic Requests auf dieses Wort (RFC 7306 §5)</translation>
    </message>
    <message>
        <source>Contradicting</source>
        <translation>Widersprüchlich</translation>
    </message>
    <message>
        <source>Results that the analysis found impossible (RFC 7306 §5.3)</source>
        <translation>Ergebnisse, die die Auswertung für unmöglich befand (RFC 7306 §5.3)</translation>
    </message>
    <message>
        <source>Analysis</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>What the analysis says of the results together</source>
        <translation>Was die Auswertung zu den Ergebnissen zusammen sagt</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>On results that cannot be: AT-14, AT-15</source>
        <translation>Zu Ergebnissen, die nicht sein können: AT-14, AT-15</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::Banner</name>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>▲ %1</source>
        <translation>▲ %1</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::BufferCanvas</name>
    <message>
        <source>Map of octets placed</source>
        <translation>Karte der platzierten Oktette</translation>
    </message>
    <message>
        <source>Left and Right go from piece to piece, Enter looks at the message that placed it.</source>
        <translation>Links und Rechts gehen von Stück zu Stück, Enter zeigt die Nachricht, die es platzierte.</translation>
    </message>
    <message>
        <source>%1 of frame %2 at %3</source>
        <translation>%1 von Frame %2 bei %3</translation>
    </message>
    <message>
        <source>placed again before its owner could be told of what was there</source>
        <translation>noch einmal platziert, bevor der Eigentümer erfahren konnte, was dort stand</translation>
    </message>
    <message>
        <source>placed after the STag was invalidated</source>
        <translation>platziert, nachdem der STag ungültig gemacht war</translation>
    </message>
    <message>
        <source>invalidated, frame %1</source>
        <translation>ungültig gemacht, Frame %1</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Tagged Offset</source>
        <translation>Tagged Offset</translation>
    </message>
    <message>
        <source>No octets were seen to be placed in this STag.</source>
        <translation>Es war nicht zu sehen, dass Oktette in diesem STag platziert wurden.</translation>
    </message>
    <message>
        <source>Choose an STag above.</source>
        <translation>Oben einen STag wählen.</translation>
    </message>
    <message numerus="yes">
        <source>TO %1 to %2, %Ln octet(s)</source>
        <translation>
            <numerusform>TO %1 bis %2, 1 Oktett</numerusform>
            <numerusform>TO %1 bis %2, %Ln Oktette</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the latest of %Ln message(s)</source>
        <translation>
            <numerusform>die letzte von 1 Nachricht</numerusform>
            <numerusform>die letzte von %Ln Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>✗ refused, frame %1</source>
        <translation>✗ abgelehnt, Frame %1</translation>
    </message>
    <message>
        <source>nothing is here</source>
        <translation>hier ist nichts</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::BufferModel</name>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>atomic</source>
        <translation>Atomic</translation>
    </message>
    <message>
        <source>read sink</source>
        <translation>Leseziel</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>STag</source>
        <translation>STag</translation>
    </message>
    <message>
        <source>Steering Tag (RFC 5041 §4.2)</source>
        <translation>Steering Tag (RFC 5041 §4.2)</translation>
    </message>
    <message>
        <source>Owner</source>
        <translation>Eigentümer</translation>
    </message>
    <message>
        <source>Whose memory it names</source>
        <translation>Wessen Speicher er nennt</translation>
    </message>
    <message>
        <source>First frame</source>
        <translation>Erster Frame</translation>
    </message>
    <message>
        <source>The first frame that names it</source>
        <translation>Der erste Frame, der ihn nennt</translation>
    </message>
    <message>
        <source>Announced</source>
        <translation>Bekannt gemacht</translation>
    </message>
    <message>
        <source>The frame in which its owner told the other end of it</source>
        <translation>Der Frame, in dem sein Eigentümer ihn der anderen Seite mitteilte</translation>
    </message>
    <message>
        <source>Invalidated</source>
        <translation>Ungültig gemacht</translation>
    </message>
    <message>
        <source>The frame after which it must not be used (RFC 5040 §5.3)</source>
        <translation>Der Frame, nach dem er nicht mehr benutzt werden darf (RFC 5040 §5.3)</translation>
    </message>
    <message>
        <source>Rights seen</source>
        <translation>Gesehene Rechte</translation>
    </message>
    <message>
        <source>What was done with it</source>
        <translation>Was mit ihm getan wurde</translation>
    </message>
    <message>
        <source>Tagged Offsets</source>
        <translation>Tagged Offsets</translation>
    </message>
    <message>
        <source>From the lowest octet that was accessed to behind the highest</source>
        <translation>Vom niedrigsten Oktett, auf das zugegriffen wurde, bis hinter das höchste</translation>
    </message>
    <message>
        <source>Octets placed</source>
        <translation>Platzierte Oktette</translation>
    </message>
    <message>
        <source>By RDMA Writes and RDMA Read Responses that were seen whole</source>
        <translation>Durch RDMA Writes und RDMA Read Responses, die ganz zu sehen waren</translation>
    </message>
    <message>
        <source>Rewritten</source>
        <translation>Überschrieben</translation>
    </message>
    <message>
        <source>Octets placed again before a Send or another message than a Write could tell the owner of what was there</source>
        <translation>Oktette, die noch einmal platziert wurden, bevor ein Send oder eine andere Nachricht als ein Write dem Eigentümer sagen konnte, was dort stand</translation>
    </message>
    <message>
        <source>Used by</source>
        <translation>Benutzt von</translation>
    </message>
    <message>
        <source>Messages that name it</source>
        <translation>Nachrichten, die ihn nennen</translation>
    </message>
    <message>
        <source>✗ %1</source>
        <translation>✗ %1</translation>
    </message>
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
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
    <message>
        <source>RDMA Writes and RDMA Read Responses that its owner did not take: it ended the stream with a Terminate</source>
        <translation>RDMA Writes und RDMA Read Responses, die sein Besitzer nicht nahm: er beendete den Strom mit einem Terminate</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::BufferView</name>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>STags</source>
        <translation>STags</translation>
    </message>
    <message>
        <source>The piece of memory at the cursor</source>
        <translation>Das Stück Speicher unter dem Cursor</translation>
    </message>
    <message>
        <source>What the map&apos;s signs mean</source>
        <translation>Was die Zeichen der Karte bedeuten</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>The memory that messages of this queue pair name, an STag a row: whose it is, from which frame to which it was in use, what was done with it and by which messages, and between which Tagged Offsets (RFC 5041 §4.2). Below it which message placed which octets of the chosen one, and when; what was placed again too early, or after an invalidation, is marked (RFC 5040 §5.3). Enter on a piece shows its message in all other views.</source>
        <translation>Der Speicher, den Nachrichten dieses Queue Pairs nennen, ein STag je Zeile: wem er gehört, von welchem bis zu welchem Frame er in Gebrauch war, was damit geschah und durch welche Nachrichten, und zwischen welchen Tagged Offsets (RFC 5041 §4.2). Darunter, welche Nachricht welche Oktette des gewählten platzierte und wann; was zu früh noch einmal oder nach einer Invalidierung platziert wurde, ist markiert (RFC 5040 §5.3). Enter auf einem Stück zeigt seine Nachricht in allen anderen Ansichten.</translation>
    </message>
    <message>
        <source>Buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Paler: placed earlier. Hatched ///: placed again before a Send or another message than a Write could tell the owner of what was there. Crossed: placed after an invalidation. Dashed line: an invalidation. Dotted and empty: refused, nothing is there. E, W, N above a piece: a finding names its frame.</source>
        <translation>Blasser: früher platziert. Schraffiert ///: noch einmal platziert, bevor ein Send oder eine andere Nachricht als ein Write dem Besitzer sagen konnte, was da war. Gekreuzt: nach einer Invalidierung platziert. Gestrichelte Linie: eine Invalidierung. Gepunktet und leer: abgelehnt, dort ist nichts. E, W, N über einem Stück: ein Befund nennt seinen Frame.</translation>
    </message>
    <message>
        <source>What was refused</source>
        <translation>Was abgelehnt wurde</translation>
    </message>
    <message>
        <source>Octets that were placed at other times are faint.</source>
        <translation>Oktette, die zu anderen Zeiten platziert wurden, sind blass.</translation>
    </message>
    <message numerus="yes">
        <source>Not in the map: %Ln octet(s) to stay bounded,</source>
        <translation>
            <numerusform>Nicht in der Karte: 1 Oktett, um begrenzt zu bleiben,</numerusform>
            <numerusform>Nicht in der Karte: %Ln Oktette, um begrenzt zu bleiben,</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s) that were not seen whole.</source>
        <translation>
            <numerusform>1 Nachricht, die nicht ganz gesehen wurde.</numerusform>
            <numerusform>%Ln Nachrichten, die nicht ganz gesehen wurden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>✗ %Ln message(s) to this STag came to nothing: frame %1. %2</source>
        <translation>
            <numerusform>✗ 1 Nachricht an diesen STag blieb ohne Wirkung: Frame %1. %2</numerusform>
            <numerusform>✗ %Ln Nachrichten an diesen STag blieben ohne Wirkung: Frame %1. %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::ConnectionBanner</name>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>&amp;Try now</source>
        <translation>&amp;Jetzt versuchen</translation>
    </message>
    <message>
        <source>When it is tried again</source>
        <translation>Wann es wieder versucht wird</translation>
    </message>
    <message>
        <source>Try to connect now</source>
        <translation>Jetzt versuchen zu verbinden</translation>
    </message>
    <message>
        <source>There is no connection. %1</source>
        <translation>Es gibt keine Verbindung. %1</translation>
    </message>
    <message>
        <source>The connection is lost; what is shown is stale, as of %1. %2</source>
        <translation>Die Verbindung ist verloren; was zu sehen ist, ist veraltet, Stand %1. %2</translation>
    </message>
    <message>
        <source>Trying again in %L1 s</source>
        <translation>Neuer Versuch in %L1 s</translation>
    </message>
    <message>
        <source>Trying now...</source>
        <translation>Versuch läuft...</translation>
    </message>
    <message>
        <source>Open &amp;again</source>
        <translation>&amp;Wieder öffnen</translation>
    </message>
    <message>
        <source>Open the file again</source>
        <translation>Die Datei wieder öffnen</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::EmptyNote</name>
    <message>
        <source>Why the table is empty</source>
        <translation>Warum die Tabelle leer ist</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FilterBar</name>
    <message>
        <source>Filter, such as: host == 10.0.0.1 and errors &gt; 0</source>
        <translation>Filter, etwa: host == 10.0.0.1 and errors &gt; 0</translation>
    </message>
    <message>
        <source>Filter of queue pairs</source>
        <translation>Filter der Queue Pairs</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Earlier filters</source>
        <translation>Frühere Filter</translation>
    </message>
    <message>
        <source>What may stand here</source>
        <translation>Was hier stehen kann</translation>
    </message>
    <message>
        <source>No filter: everything is shown.</source>
        <translation>Kein Filter: Alles wird gezeigt.</translation>
    </message>
    <message>
        <source>The filter is understood.</source>
        <translation>Der Filter ist verständlich.</translation>
    </message>
    <message>
        <source>At character %1: %2</source>
        <translation>Bei Zeichen %1: %2</translation>
    </message>
    <message>
        <source>Filter is valid</source>
        <translation>Filter ist gültig</translation>
    </message>
    <message>
        <source>Filter is not valid</source>
        <translation>Filter ist nicht gültig</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FindingList</name>
    <message>
        <source>Findings of all queue pairs</source>
        <translation>Befunde aller Queue Pairs</translation>
    </message>
    <message>
        <source>Least severity shown</source>
        <translation>Geringste gezeigte Schwere</translation>
    </message>
    <message>
        <source>All severities</source>
        <translation>Alle Schweren</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>Nur Fehler</translation>
    </message>
    <message>
        <source>Words to find in findings</source>
        <translation>Wörter, die in Befunden zu suchen sind</translation>
    </message>
    <message>
        <source>Words to find: a rule, an address, ...</source>
        <translation>Suchen: eine Regel, eine Adresse, ...</translation>
    </message>
    <message>
        <source>What ca&amp;me first</source>
        <translation>Was &amp;zuerst kam</translation>
    </message>
    <message>
        <source>Only the earliest error or warning between two hosts</source>
        <translation>Nur der früheste Fehler oder die früheste Warnung zwischen zwei Hosts</translation>
    </message>
    <message>
        <source>This &amp;queue pair</source>
        <translation>Dieses &amp;Queue Pair</translation>
    </message>
    <message>
        <source>Only findings of the chosen queue pair</source>
        <translation>Nur Befunde des gewählten Queue Pairs</translation>
    </message>
    <message>
        <source>Number of findings shown</source>
        <translation>Anzahl der gezeigten Befunde</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>What came first</source>
        <translation>Was zuerst kam</translation>
    </message>
    <message>
        <source>%L1 of %L2</source>
        <translation>%L1 von %L2</translation>
    </message>
    <message>
        <source>All findings of all queue pairs by the time of the first frame that shows them. The earliest error or warning between two hosts is marked: what comes after it is often its consequence. Enter shows the frame in all other views, F1 the rule.</source>
        <translation>Alle Befunde aller Queue Pairs nach der Zeit des ersten Frames, der sie zeigt. Der früheste Fehler oder die früheste Warnung zwischen zwei Hosts ist markiert: was danach kommt, ist oft die Folge davon. Enter zeigt den Frame in allen anderen Ansichten, F1 die Regel.</translation>
    </message>
    <message>
        <source>%1, frame %2, %3: %4</source>
        <translation>%1, Frame %2, %3: %4</translation>
    </message>
    <message>
        <source>%1, frame %2: %3</source>
        <translation>%1, Frame %2: %3</translation>
    </message>
    <message>
        <source>Show the &amp;word and its atomics</source>
        <translation>Das &amp;Wort und seine Atomics zeigen</translation>
    </message>
    <message>
        <source>Text of the chosen finding</source>
        <translation>Text des gewählten Befunds</translation>
    </message>
    <message numerus="yes">
        <source>%1; %Ln older one(s) are not kept</source>
        <translation>
            <numerusform>%1; %Ln älterer Eintrag ist nicht mehr da</numerusform>
            <numerusform>%1; %Ln ältere Einträge sind nicht mehr da</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::FindingTable</name>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>◀ first</source>
        <translation>◀ zuerst</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keines</translation>
    </message>
    <message>
        <source>The earliest error or warning between these two hosts.</source>
        <translation>Der früheste Fehler oder die früheste Warnung zwischen diesen beiden Hosts.</translation>
    </message>
    <message>
        <source>%1
Frame %L2</source>
        <translation>%1
Frame %L2</translation>
    </message>
    <message>
        <source>Time (UTC)</source>
        <translation>Zeit (UTC)</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Schwere</translation>
    </message>
    <message>
        <source>What came first</source>
        <translation>Was zuerst kam</translation>
    </message>
    <message>
        <source>QP</source>
        <translation>QP</translation>
    </message>
    <message>
        <source>Ends</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>%1: frame %2, the first that shows it. It was decided with frame %3, at %4.</source>
        <translation>%1: Frame %2, der erste, der ihn zeigt. Entschieden wurde er mit Frame %3, um %4.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HandshakeView</name>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Handshake of the queue pair</source>
        <translation>Handshake des Queue Pairs</translation>
    </message>
    <message>
        <source>How the queue pair was set up: what the Request (over SCTP the Initiate) asked for, what was answered, where they differ and what that comes to, and the settings that are in force since then.</source>
        <translation>Wie das Queue Pair aufgebaut wurde: was der Request (über SCTP der Initiate) verlangte, was geantwortet wurde, wo sie sich unterscheiden und was daraus folgt, und die Einstellungen, die seither gelten.</translation>
    </message>
    <message>
        <source>Choose a queue pair to see how it was set up.</source>
        <translation>Ein Queue Pair wählen, um zu sehen, wie es aufgebaut wurde.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HeadlessReport</name>
    <message>
        <source>There is no queue pair %1.</source>
        <translation>Es gibt kein Queue Pair %1.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HealthBar</name>
    <message>
        <source>Sensor health</source>
        <translation>Zustand des Sensors</translation>
    </message>
    <message>
        <source>What was lost on the way from the wire to the analysis and to the outputs, stage by stage. Where something is missing, verdicts can say less. Press a stage to read what it is.</source>
        <translation>Was auf dem Weg von der Leitung zur Auswertung und zu den Ausgaben verloren ging, Stufe für Stufe. Wo etwas fehlt, können Urteile weniger sagen. Eine Stufe drücken, um zu lesen, was sie ist.</translation>
    </message>
    <message>
        <source>%1 %2: %3</source>
        <translation>%1 %2: %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2: stale</source>
        <translation>%1 %2: veraltet</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HelpWindow</name>
    <message>
        <source>Explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Leitfaden</translation>
    </message>
    <message>
        <source>Contents of the guide</source>
        <translation>Inhalt des Leitfadens</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Leitfaden</translation>
    </message>
    <message>
        <source>Go to a view or a finding and press F1 to read about it.</source>
        <translation>Zu einer Ansicht oder einem Befund gehen und F1 drücken, um darüber zu lesen.</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>Regel %1</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HostTable</name>
    <message>
        <source>%1 %2 %3</source>
        <translation>%1 %2 %3</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>? no verdict</source>
        <translation>? kein Urteil</translation>
    </message>
    <message>
        <source>Initiator %1, Responder %2</source>
        <translation>Initiator %1, Responder %2</translation>
    </message>
    <message>
        <source>QPs: %1, of which %2 have not ended</source>
        <translation>QPs: %1, davon nicht beendet: %2</translation>
    </message>
    <message>
        <source>Verdicts: %1</source>
        <translation>Urteile: %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source>Rate now: %1/s</source>
        <translation>Rate jetzt: %1/s</translation>
    </message>
    <message>
        <source>ULP payload: %1</source>
        <translation>ULP-Nutzdaten: %1</translation>
    </message>
    <message>
        <source>Worst: %1</source>
        <translation>Schwerster: %1</translation>
    </message>
    <message>
        <source>no queue pair</source>
        <translation>kein Queue Pair</translation>
    </message>
    <message>
        <source>Initiator %1</source>
        <translation>Initiator %1</translation>
    </message>
    <message>
        <source>Responder %1</source>
        <translation>Responder %1</translation>
    </message>
    <message>
        <source>Errors: %1, warnings: %2, notes: %3</source>
        <translation>Fehler: %1, Warnungen: %2, Hinweise: %3</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::HostView</name>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Who talks RDMA with whom: a row for each Initiator, a column for each Responder, the worst first. A cell shows the worst verdict of all queue pairs between the two and the letter of their worst finding. Enter or a click on a cell shows only its queue pairs in the table. On the right stand the worst queue pairs of all: Enter or a click chooses one.</source>
        <translation>Wer mit wem RDMA spricht: eine Zeile für jeden Initiator, eine Spalte für jeden Responder, die schlimmsten zuerst. Eine Zelle zeigt das schlimmste Urteil aller Queue Pairs zwischen den beiden und den Buchstaben ihres schwersten Befundes. Enter oder ein Klick auf eine Zelle zeigt nur ihre Queue Pairs in der Tabelle. Rechts stehen die schlimmsten Queue Pairs von allen: Enter oder ein Klick wählt eines.</translation>
    </message>
    <message>
        <source>Words to find in hosts</source>
        <translation>Wörter, die in Hosts zu suchen sind</translation>
    </message>
    <message>
        <source>An address, a verdict, a rule…</source>
        <translation>Eine Adresse, ein Urteil, eine Regel…</translation>
    </message>
    <message>
        <source>Show &amp;all queue pairs</source>
        <translation>&amp;Alle Queue Pairs zeigen</translation>
    </message>
    <message>
        <source>Show all queue pairs in the table</source>
        <translation>Alle Queue Pairs in der Tabelle zeigen</translation>
    </message>
    <message>
        <source>How many pairs of hosts are shown</source>
        <translation>Wie viele Hostpaare gezeigt werden</translation>
    </message>
    <message>
        <source>Rows: Initiators. Columns: Responders. Each begins with the worst.</source>
        <translation>Zeilen: Initiatoren. Spalten: Responder. Beide beginnen mit den schlimmsten.</translation>
    </message>
    <message>
        <source>What the matrix shows</source>
        <translation>Was die Matrix zeigt</translation>
    </message>
    <message>
        <source>Initiators and Responders</source>
        <translation>Initiatoren und Responder</translation>
    </message>
    <message>
        <source>Rows are Initiators, columns Responders. Enter shows their queue pairs.</source>
        <translation>Zeilen sind Initiatoren, Spalten Responder. Enter zeigt ihre Queue Pairs.</translation>
    </message>
    <message>
        <source>What the worst queue pairs are chosen by</source>
        <translation>Wonach die schlimmsten Queue Pairs gewählt werden</translation>
    </message>
    <message>
        <source>by errors</source>
        <translation>nach Fehlern</translation>
    </message>
    <message>
        <source>by longest wait</source>
        <translation>nach längster Wartezeit</translation>
    </message>
    <message>
        <source>by traffic</source>
        <translation>nach Verkehr</translation>
    </message>
    <message>
        <source>&amp;Worst queue pairs</source>
        <translation>&amp;Schlimmste Queue Pairs</translation>
    </message>
    <message>
        <source>Worst queue pairs</source>
        <translation>Schlimmste Queue Pairs</translation>
    </message>
    <message>
        <source>Enter chooses the queue pair in every view.</source>
        <translation>Enter wählt das Queue Pair in jeder Ansicht.</translation>
    </message>
    <message>
        <source>Pairs: %1</source>
        <translation>Paare: %1</translation>
    </message>
    <message>
        <source>Pairs: %1 of %2</source>
        <translation>Paare: %1 von %2</translation>
    </message>
    <message>
        <source>%1; there are more queue pairs than are added up</source>
        <translation>%1; es gibt mehr Queue Pairs, als zusammengezählt werden</translation>
    </message>
    <message>
        <source>; </source>
        <translation>; </translation>
    </message>
    <message>
        <source>All queue pairs were there then.</source>
        <translation>Alle Queue Pairs gab es da.</translation>
    </message>
    <message numerus="yes">
        <source>%n queue pair(s) that were not there then are left out.</source>
        <translation>
            <numerusform>1 Queue Pair, das es da nicht gab, ist ausgelassen.</numerusform>
            <numerusform>%n Queue Pairs, die es da nicht gab, sind ausgelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Corner</source>
        <translation>Ecke</translation>
    </message>
    <message numerus="yes">
        <source>%Ln host(s) with the least to tell are left out</source>
        <translation>
            <numerusform>1 Host mit dem wenigsten zu sagen ist ausgelassen</numerusform>
            <numerusform>%Ln Hosts mit dem wenigsten zu sagen sind ausgelassen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::KeyUnlocker</name>
    <message>
        <source>✗ The passphrase in the keyring does not open the key any more.</source>
        <translation>✗ Die Passphrase im Schlüsselbund öffnet den Schlüssel nicht mehr.</translation>
    </message>
    <message>
        <source>The passphrase is in the keyring.</source>
        <translation>Die Passphrase ist im Schlüsselbund.</translation>
    </message>
    <message>
        <source>The passphrase is not kept: %1</source>
        <translation>Die Passphrase wird nicht aufbewahrt: %1</translation>
    </message>
    <message>
        <source>Not connected: the key needs its passphrase.</source>
        <translation>Nicht verbunden: der Schlüssel braucht seine Passphrase.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LadderCanvas</name>
    <message>
        <source>Ladder of messages</source>
        <translation>Ablauf der Nachrichten</translation>
    </message>
    <message>
        <source>Place in the ladder</source>
        <translation>Stelle im Ablauf</translation>
    </message>
    <message>
        <source>This message is being fetched.</source>
        <translation>Diese Nachricht wird geholt.</translation>
    </message>
    <message>
        <source>Initiator %1</source>
        <translation>Initiator %1</translation>
    </message>
    <message>
        <source>A %1</source>
        <translation>A %1</translation>
    </message>
    <message>
        <source>Responder %1</source>
        <translation>Responder %1</translation>
    </message>
    <message>
        <source>B %1</source>
        <translation>B %1</translation>
    </message>
    <message>
        <source>This queue pair has no message.</source>
        <translation>Dieses Queue Pair hat keine Nachricht.</translation>
    </message>
    <message>
        <source>Choose a queue pair.</source>
        <translation>Ein Queue Pair wählen.</translation>
    </message>
    <message>
        <source>There is nothing to save: no message is shown.</source>
        <translation>Es gibt nichts zu sichern: Es wird keine Nachricht gezeigt.</translation>
    </message>
    <message>
        <source>More than %1 messages are chosen: that is too large for a picture.</source>
        <translation>Es sind mehr als %1 Nachrichten gewählt: zu viel für ein Bild.</translation>
    </message>
    <message>
        <source>Some of these messages are still being fetched; try again in a moment.</source>
        <translation>Einige dieser Nachrichten werden noch geholt; bitte gleich noch einmal versuchen.</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>The picture would be too large.</source>
        <translation>Das Bild wäre zu groß.</translation>
    </message>
    <message>
        <source>%1: the picture cannot be written.</source>
        <translation>%1: Das Bild kann nicht geschrieben werden.</translation>
    </message>
    <message>
        <source>Initiator</source>
        <translation>Initiator</translation>
    </message>
    <message>
        <source>Init.</source>
        <translation>Init.</translation>
    </message>
    <message>
        <source>Responder</source>
        <translation>Responder</translation>
    </message>
    <message>
        <source>Resp.</source>
        <translation>Resp.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LadderView</name>
    <message>
        <source>Ladder</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Previous finding</source>
        <translation>Voriger Befund</translation>
    </message>
    <message>
        <source>Previous finding (P)</source>
        <translation>Voriger Befund (P)</translation>
    </message>
    <message>
        <source>Next finding</source>
        <translation>Nächster Befund</translation>
    </message>
    <message>
        <source>Next finding (N)</source>
        <translation>Nächster Befund (N)</translation>
    </message>
    <message>
        <source>−</source>
        <translation>−</translation>
    </message>
    <message>
        <source>More messages (-)</source>
        <translation>Mehr Nachrichten (-)</translation>
    </message>
    <message>
        <source>+</source>
        <translation>+</translation>
    </message>
    <message>
        <source>Fewer messages (+)</source>
        <translation>Weniger Nachrichten (+)</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>All messages (0)</source>
        <translation>Alle Nachrichten (0)</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>Go to frame (Ctrl+G)</source>
        <translation>Zu Frame gehen (Strg+G)</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>Bild sichern…</translation>
    </message>
    <message>
        <source>Save the chosen or visible part as SVG or PNG</source>
        <translation>Den gewählten oder sichtbaren Teil als SVG oder PNG sichern</translation>
    </message>
    <message>
        <source>Ctrl+G</source>
        <translation>Ctrl+G</translation>
    </message>
    <message>
        <source>Current message</source>
        <translation>Aktuelle Nachricht</translation>
    </message>
    <message>
        <source>There is no further finding.</source>
        <translation>Es gibt keinen weiteren Befund.</translation>
    </message>
    <message>
        <source>There is no earlier finding.</source>
        <translation>Es gibt keinen früheren Befund.</translation>
    </message>
    <message>
        <source>Save the ladder</source>
        <translation>Ablauf sichern</translation>
    </message>
    <message>
        <source>Pictures (*.svg *.png)</source>
        <translation>Bilder (*.svg *.png)</translation>
    </message>
    <message>
        <source>Every message of the queue pair as an arrow between Initiator, tap and Responder, time going down. Requests and their responses are tied; what the transport lost or sent again, gaps of the capture and findings are marked where they happened. Up and Down go from message to message, N and P from finding to finding, + and - zoom, 0 shows all, Ctrl+G goes to a frame.</source>
        <translation>Jede Nachricht des Queue Pairs als Pfeil zwischen Initiator, Abgriff und Responder, die Zeit geht nach unten. Anfragen und ihre Antworten sind verbunden; was der Transport verlor oder noch einmal sandte, Lücken des Mitschnitts und Befunde sind dort markiert, wo sie geschahen. Auf und Ab gehen von Nachricht zu Nachricht, N und P von Befund zu Befund, + und - zoomen, 0 zeigt alles, Ctrl+G geht zu einem Frame.</translation>
    </message>
    <message>
        <source>Messages of other times are faint.</source>
        <translation>Nachrichten anderer Zeiten sind blass.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LatencyHistogram</name>
    <message>
        <source>How many took how long</source>
        <translation>Wie viele wie lange dauerten</translation>
    </message>
    <message>
        <source>A histogram of durations. Left and Right tell the counts of each step.</source>
        <translation>Ein Histogramm von Dauern. Links und Rechts sagen die Anzahlen jeder Stufe.</translation>
    </message>
    <message>
        <source>from the request to the last octet of its response</source>
        <translation>von der Anfrage bis zum letzten Oktett ihrer Antwort</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>RDMA Reads</source>
        <translation>RDMA Reads</translation>
    </message>
    <message>
        <source>Atomics</source>
        <translation>Atomics</translation>
    </message>
    <message>
        <source>p%1 %2</source>
        <translation>p%1 %2</translation>
    </message>
    <message>
        <source>%1 to %2: %3 RDMA Reads, %4 Atomics</source>
        <translation>%1 bis %2: %3 RDMA Reads, %4 Atomics</translation>
    </message>
    <message>
        <source>no Reads or Atomics</source>
        <translation>keine Reads oder Atomics</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LatencyView</name>
    <message>
        <source>Slowest operations</source>
        <translation>Langsamste Operationen</translation>
    </message>
    <message>
        <source>What the list shows</source>
        <translation>Was die Liste zeigt</translation>
    </message>
    <message>
        <source>Enter looks at the request in every view.</source>
        <translation>Enter zeigt die Anfrage in jeder Ansicht.</translation>
    </message>
    <message>
        <source>No RDMA Read or Atomic Operation with its response was seen.</source>
        <translation>Es war kein RDMA Read und keine atomare Operation mit Antwort zu sehen.</translation>
    </message>
    <message numerus="yes">
        <source>The %n slowest RDMA Reads and Atomic Operations, measured at the tap.</source>
        <translation>
            <numerusform>Die langsamste Operation (RDMA Reads und Atomics), gemessen am Abgriff.</numerusform>
            <numerusform>Die %n langsamsten RDMA Reads und atomaren Operationen, gemessen am Abgriff.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of the %n slowest began in the marked time.</source>
        <translation>
            <numerusform>%1 der %n langsamsten begannen in der markierten Zeit.</numerusform>
            <numerusform>%1 der %n langsamsten begannen in der markierten Zeit.</numerusform>
        </translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>How long RDMA Reads and Atomic Operations took, from the request to the last octet of its response as seen at the tap: on the left how many took how long with three percentiles, on the right the slowest ones. With a span of time marked in the timeline both show that span alone. Enter shows a request in all other views.</source>
        <translation>Wie lange RDMA Reads und atomare Operationen dauerten, von der Anfrage bis zum letzten Oktett ihrer Antwort am Abgriff: links, wie viele wie lange dauerten, mit drei Perzentilen, rechts die langsamsten. Ist in der Zeitleiste eine Spanne markiert, zeigen beide nur diese. Enter zeigt eine Anfrage in allen anderen Ansichten.</translation>
    </message>
    <message>
        <source>Counts at the cursor</source>
        <translation>Anzahlen am Cursor</translation>
    </message>
    <message>
        <source>Point at the histogram, or go through it with Left and Right, to see counts.</source>
        <translation>Auf das Histogramm zeigen oder es mit Links und Rechts durchgehen, um Anzahlen zu sehen.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LogMeaningTable</name>
    <message>
        <source>Driver</source>
        <translation>Treiber</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::LogView</name>
    <message>
        <source>Lines of a log</source>
        <translation>Zeilen eines Logs</translation>
    </message>
    <message>
        <source>Paste lines of a host&apos;s log here: of dmesg (siw, cxgb4, irdma, qedr, nvme, NFS and SMB over RDMA) or the text of an event of SMBDirect. Each line that is known is explained in a sentence, with the rules that it hints at and the queue pairs that it may speak of: by addresses, ports, STags, the code of a Terminate, and findings. Nothing of it leaves this window.</source>
        <translation>Hier Zeilen aus dem Log eines Hosts einfügen: von dmesg (siw, cxgb4, irdma, qedr, nvme, NFS und SMB über RDMA) oder den Text eines Ereignisses von SMBDirect. Jede bekannte Zeile wird in einem Satz erklärt, mit den Regeln, auf die sie hindeutet, und den Queue Pairs, von denen sie sprechen kann: nach Adressen, Ports, STags, dem Code eines Terminate und Befunden. Nichts davon verlässt dieses Fenster.</translation>
    </message>
    <message>
        <source>Paste lines of dmesg or of the Event Viewer here.</source>
        <translation>Hier Zeilen von dmesg oder aus der Ereignisanzeige einfügen.</translation>
    </message>
    <message>
        <source>How many lines were understood</source>
        <translation>Wie viele Zeilen verstanden wurden</translation>
    </message>
    <message>
        <source>Lines that were understood</source>
        <translation>Zeilen, die verstanden wurden</translation>
    </message>
    <message>
        <source>What the line means</source>
        <translation>Was die Zeile bedeutet</translation>
    </message>
    <message>
        <source>Queue pairs that the line may speak of</source>
        <translation>Queue Pairs, von denen die Zeile sprechen kann</translation>
    </message>
    <message>
        <source>Enter chooses the queue pair in every view.</source>
        <translation>Enter wählt das Queue Pair in jeder Ansicht.</translation>
    </message>
    <message numerus="yes">
        <source>%n queue pair(s) that were not there then are left out.</source>
        <translation>
            <numerusform>1 Queue Pair, das es da nicht gab, ist ausgelassen.</numerusform>
            <numerusform>%n Queue Pairs, die es da nicht gab, sind ausgelassen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Each line that is known is explained here.</source>
        <translation>Jede bekannte Zeile wird hier erklärt.</translation>
    </message>
    <message>
        <source>None of these lines is known. Lines of siw, cxgb4, irdma, qedr, nvme, NFS, SMB and SMBDirect are.</source>
        <translation>Keine dieser Zeilen ist bekannt. Bekannt sind Zeilen von siw, cxgb4, irdma, qedr, nvme, NFS, SMB und SMBDirect.</translation>
    </message>
    <message numerus="yes">
        <source>%n kind(s) of line are known.</source>
        <translation>
            <numerusform>1 Art von Zeile ist bekannt.</numerusform>
            <numerusform>%n Arten von Zeilen sind bekannt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Look for these findings:</source>
        <translation>Nach diesen Befunden suchen:</translation>
    </message>
    <message>
        <source>No queue pair here fits this line.</source>
        <translation>Kein Queue Pair hier passt zu dieser Zeile.</translation>
    </message>
    <message numerus="yes">
        <source>%n queue pair(s) may be meant, the likeliest first.</source>
        <translation>
            <numerusform>1 Queue Pair kann gemeint sein.</numerusform>
            <numerusform>%n Queue Pairs können gemeint sein, das wahrscheinlichste zuerst.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::MainWindow</name>
    <message>
        <source>iwarpscope</source>
        <translation>iwarpscope</translation>
    </message>
    <message>
        <source>Losses that limit verdicts</source>
        <translation>Verluste, die Urteile einschränken</translation>
    </message>
    <message>
        <source>Open a capture file (Ctrl+O), drop files here, or connect to a daemon (Ctrl+D).</source>
        <translation>Einen Mitschnitt öffnen (Strg+O), Dateien hier ablegen oder mit einem Dienst verbinden (Strg+D).</translation>
    </message>
    <message>
        <source>Nothing is open</source>
        <translation>Nichts ist geöffnet</translation>
    </message>
    <message>
        <source>State of the connection</source>
        <translation>Zustand der Verbindung</translation>
    </message>
    <message>
        <source>Time of the last frame</source>
        <translation>Zeit des letzten Frames</translation>
    </message>
    <message>
        <source>Progress of reading</source>
        <translation>Fortschritt des Lesens</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel reading and close</source>
        <translation>Lesen abbrechen und schließen</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>%1 - iwarpscope</source>
        <translation>%1 - iwarpscope</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>Nicht verbunden</translation>
    </message>
    <message>
        <source>Reading %1 was cancelled.</source>
        <translation>Das Lesen von %1 wurde abgebrochen.</translation>
    </message>
    <message>
        <source>Connecting...</source>
        <translation>Verbinde...</translation>
    </message>
    <message>
        <source>✓ Connected</source>
        <translation>✓ Verbunden</translation>
    </message>
    <message>
        <source>✗ Failed</source>
        <translation>✗ Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Open Captures</source>
        <translation>Mitschnitte öffnen</translation>
    </message>
    <message>
        <source>Captures (*.pcap *.pcapng *.cap *.pcap.gz *.pcapng.gz *.pcap.zst *.pcapng.zst);;All files (*)</source>
        <translation>Mitschnitte (*.pcap *.pcapng *.cap *.pcap.gz *.pcapng.gz *.pcap.zst *.pcapng.zst);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save Packets</source>
        <translation>Pakete sichern</translation>
    </message>
    <message>
        <source>pcapng files (*.pcapng)</source>
        <translation>pcapng-Dateien (*.pcapng)</translation>
    </message>
    <message>
        <source>Saving packets...</source>
        <translation>Pakete werden gesichert...</translation>
    </message>
    <message>
        <source>Export Report</source>
        <translation>Bericht ausgeben</translation>
    </message>
    <message>
        <source>report.html</source>
        <translation>bericht.html</translation>
    </message>
    <message>
        <source>HTML files (*.html)</source>
        <translation>HTML-Dateien (*.html)</translation>
    </message>
    <message>
        <source>The report is in %1.</source>
        <translation>Der Bericht steht in %1.</translation>
    </message>
    <message>
        <source>Making the report...</source>
        <translation>Der Bericht entsteht...</translation>
    </message>
    <message>
        <source>Wireshark opens %1.</source>
        <translation>Wireshark öffnet %1.</translation>
    </message>
    <message>
        <source>Fetching packets...</source>
        <translation>Pakete werden geholt...</translation>
    </message>
    <message>
        <source>The sentence is on the clipboard.</source>
        <translation>Der Satz ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The view is paused. Nothing is lost: what comes is shown when it goes on.</source>
        <translation>Die Ansicht ist angehalten. Nichts geht verloren: Was kommt, wird gezeigt, wenn es weitergeht.</translation>
    </message>
    <message>
        <source>The view goes on.</source>
        <translation>Die Ansicht geht weiter.</translation>
    </message>
    <message>
        <source>Rule %1</source>
        <translation>Regel %1</translation>
    </message>
    <message>
        <source>About iwarpscope</source>
        <translation>Über iwarpscope</translation>
    </message>
    <message>
        <source>iwarpscope %1: the instrument for iWARP. It shows what MPA, DDP and RDMAP did on each queue pair, and what went wrong.</source>
        <translation>iwarpscope %1: das Messgerät für iWARP. Es zeigt, was MPA, DDP und RDMAP auf jedem Queue Pair taten und was schiefging.</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Ladder</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Atomics</source>
        <translation>Atomics</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Open Captures...</source>
        <translation>Mitschnitte ö&amp;ffnen...</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>&amp;Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Connect to a &amp;Daemon...</source>
        <translation>Mit einem &amp;Dienst verbinden...</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>S&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Save Packets of the Queue Pair...</source>
        <translation>Pakete des Queue Pairs &amp;sichern...</translation>
    </message>
    <message>
        <source>Open in &amp;Wireshark</source>
        <translation>In &amp;Wireshark öffnen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+W</source>
        <translation>Ctrl+Shift+W</translation>
    </message>
    <message>
        <source>&amp;Export Report as HTML...</source>
        <translation>&amp;Bericht als HTML ausgeben...</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>B&amp;eenden</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Copy the Verdict&apos;s Sentence</source>
        <translation>Satz des Urteils &amp;kopieren</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Pause the Live View</source>
        <translation>Laufende Ansicht an&amp;halten</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>%1 shows it</source>
        <translation>%1 zeigt es</translation>
    </message>
    <message>
        <source>&amp;Reset the Layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Explain What Has the Focus</source>
        <translation>&amp;Erklären, was den Fokus hat</translation>
    </message>
    <message>
        <source>&amp;About iwarpscope</source>
        <translation>&amp;Über iwarpscope</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>&amp;Forget Them</source>
        <translation>&amp;Vergessen</translation>
    </message>
    <message>
        <source>&amp;Next View</source>
        <translation>&amp;Nächste Ansicht</translation>
    </message>
    <message>
        <source>F6</source>
        <translation>F6</translation>
    </message>
    <message>
        <source>Pre&amp;vious View</source>
        <translation>&amp;Vorige Ansicht</translation>
    </message>
    <message>
        <source>Shift+F6</source>
        <translation>Shift+F6</translation>
    </message>
    <message>
        <source>Take the View &amp;Out of the Window or Back</source>
        <translation>Ansicht aus dem &amp;Fenster nehmen oder zurück</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>The table of queue pairs stays in the window.</source>
        <translation>Die Tabelle der Queue Pairs bleibt im Fenster.</translation>
    </message>
    <message>
        <source>✗ No connection since %1</source>
        <translation>✗ Keine Verbindung seit %1</translation>
    </message>
    <message>
        <source>✗ Connection lost at %1, data is stale</source>
        <translation>✗ Verbindung um %1 verloren, Daten sind veraltet</translation>
    </message>
    <message numerus="yes">
        <source>%1, %Ln frame(s)</source>
        <translation>
            <numerusform>%1, 1 Frame</numerusform>
            <numerusform>%1, %Ln Frames</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln packet(s) are saved in %1.</source>
        <translation>
            <numerusform>1 Paket ist in %1 gespeichert.</numerusform>
            <numerusform>%Ln Pakete sind in %1 gespeichert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Log lines</source>
        <translation>Logzeilen</translation>
    </message>
    <message>
        <source>Show All of &amp;Time</source>
        <translation>Die ganze &amp;Zeit zeigen</translation>
    </message>
    <message>
        <source>%1 (%L2)</source>
        <translation>%1 (%L2)</translation>
    </message>
    <message>
        <source>%1 was replaced since it was opened: Wireshark opens what was read of it, %2.</source>
        <translation>%1 wurde ersetzt, seit es geöffnet wurde: Wireshark öffnet, was davon gelesen wurde, %2.</translation>
    </message>
    <message>
        <source>Open the File &amp;Again</source>
        <translation>Die Datei &amp;wieder öffnen</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::PassphraseDialog</name>
    <message>
        <source>&amp;Keep it in this desktop&apos;s keyring</source>
        <translation>Im &amp;Schlüsselbund dieses Desktops aufbewahren</translation>
    </message>
    <message>
        <source>Passphrase of a Key</source>
        <translation>Passphrase eines Schlüssels</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>Passphrase</source>
        <translation>Passphrase</translation>
    </message>
    <message>
        <source>Keep the passphrase in this desktop&apos;s keyring</source>
        <translation>Die Passphrase im Schlüsselbund dieses Desktops aufbewahren</translation>
    </message>
    <message>
        <source>&amp;Passphrase of the key %1:</source>
        <translation>&amp;Passphrase des Schlüssels %1:</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Connect with this passphrase</source>
        <translation>Mit dieser Passphrase verbinden</translation>
    </message>
    <message>
        <source>Do not connect</source>
        <translation>Nicht verbinden</translation>
    </message>
    <message>
        <source>The passphrase is kept nowhere, and asked for each time.</source>
        <translation>Die Passphrase wird nirgends aufbewahrt und jedes Mal erfragt.</translation>
    </message>
    <message>
        <source>✗ This passphrase does not open the key. Try again.</source>
        <translation>✗ Diese Passphrase öffnet den Schlüssel nicht. Noch einmal versuchen.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::PictureTaker</name>
    <message>
        <source>Nothing is open that a picture could show.</source>
        <translation>Nichts ist geöffnet, was ein Bild zeigen könnte.</translation>
    </message>
    <message>
        <source>%1 cannot be written.</source>
        <translation>%1 kann nicht geschrieben werden.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::PlotPane</name>
    <message>
        <source>A plot over time. Left and Right tell values, with Shift they mark a span of time, plus and minus zoom, 0 shows all, Escape clears the mark.</source>
        <translation>Ein Verlauf über die Zeit. Links und Rechts nennen Werte, mit Umschalt markieren sie eine Zeitspanne, Plus und Minus zoomen, 0 zeigt alles, Escape löscht die Markierung.</translation>
    </message>
    <message>
        <source>seconds since the first frame of the queue pair</source>
        <translation>Sekunden seit dem ersten Frame des Queue Pairs</translation>
    </message>
    <message>
        <source>from %1: %2</source>
        <translation>von %1: %2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 at %2 - %3</source>
        <translation>%1 bei %2 - %3</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>from %1 ns</source>
        <translation>ab %1 ns</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s)</source>
        <translation>
            <numerusform>1 Anfrage</numerusform>
            <numerusform>%n Anfragen</numerusform>
        </translation>
    </message>
    <message>
        <source>no Reads or Atomics</source>
        <translation>keine Reads oder Atomics</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::PrivateDaemon</name>
    <message>
        <source>%1 cannot be started: %2.</source>
        <translation>%1 lässt sich nicht starten: %2.</translation>
    </message>
    <message>
        <source>The program iwarpscoped, which reads the file, is neither beside this one nor on the PATH; is the package iwarpscope installed?</source>
        <translation>Das Programm iwarpscoped, das die Datei liest, ist weder neben diesem noch im PATH; ist das Paket iwarpscope installiert?</translation>
    </message>
    <message>
        <source>No temporary files can be written in %1.</source>
        <translation>In %1 können keine temporären Dateien geschrieben werden.</translation>
    </message>
    <message>
        <source>The daemon that reads the file has ended.</source>
        <translation>Der Dienst, der die Datei liest, hat geendet.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::QpModel</name>
    <message>
        <source>Last minute: at most %1 in a second</source>
        <translation>Letzte Minute: höchstens %1 in einer Sekunde</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>stale: %1</source>
        <translation>veraltet: %1</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::QpTableView</name>
    <message>
        <source>&amp;Group by host pair</source>
        <translation>Nach &amp;Hostpaar gruppieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Columns to show</source>
        <translation>Spalten, die gezeigt werden</translation>
    </message>
    <message>
        <source>Group by host pair</source>
        <translation>Nach Hostpaar gruppieren</translation>
    </message>
    <message>
        <source>How many queue pairs are shown</source>
        <translation>Wie viele Queue Pairs gezeigt werden</translation>
    </message>
    <message>
        <source>Queue pairs</source>
        <translation>Queue Pairs</translation>
    </message>
    <message>
        <source>One row a queue pair; Enter shows its messages.</source>
        <translation>Eine Zeile je Queue Pair; Enter zeigt seine Nachrichten.</translation>
    </message>
    <message>
        <source>&amp;Copy row</source>
        <translation>Zeile &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;sentence</source>
        <translation>&amp;Satz kopieren</translation>
    </message>
    <message>
        <source>Show only these &amp;hosts</source>
        <translation>Nur diese &amp;Hosts zeigen</translation>
    </message>
    <message>
        <source>&amp;Export table…</source>
        <translation>&amp;Tabelle ausgeben…</translation>
    </message>
    <message>
        <source>The row is in the clipboard.</source>
        <translation>Die Zeile ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>There is no verdict on this queue pair.</source>
        <translation>Es gibt kein Urteil über dieses Queue Pair.</translation>
    </message>
    <message>
        <source>The sentence is in the clipboard.</source>
        <translation>Der Satz ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>Tabelle ausgeben</translation>
    </message>
    <message>
        <source>CSV (*.csv);;JSON (*.json)</source>
        <translation>CSV (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>The table is in %1.</source>
        <translation>Die Tabelle steht in %1.</translation>
    </message>
    <message>
        <source>QPs: %1</source>
        <translation>QPs: %1</translation>
    </message>
    <message>
        <source>QPs: %1 of %2</source>
        <translation>QPs: %1 von %2</translation>
    </message>
    <message>
        <source>All queue pairs were there then.</source>
        <translation>Alle Queue Pairs gab es da.</translation>
    </message>
    <message numerus="yes">
        <source>%n queue pair(s) that were not there then are hidden.</source>
        <translation>
            <numerusform>1 Queue Pair, das es da nicht gab, ist verborgen.</numerusform>
            <numerusform>%n Queue Pairs, die es da nicht gab, sind verborgen.</numerusform>
        </translation>
    </message>
    <message>
        <source>C&amp;lear the filter</source>
        <translation>&amp;Filter löschen</translation>
    </message>
    <message>
        <source>Clear the filter of queue pairs</source>
        <translation>Den Filter der Queue Pairs löschen</translation>
    </message>
    <message>
        <source>Show all of &amp;time</source>
        <translation>Die ganze &amp;Zeit zeigen</translation>
    </message>
    <message>
        <source>Show all of time in every view</source>
        <translation>Die ganze Zeit in jeder Ansicht zeigen</translation>
    </message>
    <message>
        <source>No queue pair so far: the capture is being read.</source>
        <translation>Bisher kein Queue Pair: der Mitschnitt wird gelesen.</translation>
    </message>
    <message>
        <source>No queue pair was seen so far.</source>
        <translation>Bisher wurde kein Queue Pair gesehen.</translation>
    </message>
    <message numerus="yes">
        <source>No queue pair passes the filter: %n hidden.</source>
        <translation>
            <numerusform>Kein Queue Pair passt zum Filter: 1 verborgen.</numerusform>
            <numerusform>Kein Queue Pair passt zum Filter: %n verborgen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No queue pair that passes the filter was there in the marked time: %n hidden.</source>
        <translation>
            <numerusform>Kein Queue Pair, das zum Filter passt, gab es in der markierten Zeit: 1 verborgen.</numerusform>
            <numerusform>Kein Queue Pair, das zum Filter passt, gab es in der markierten Zeit: %n verborgen.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, stale</source>
        <translation>%1, veraltet</translation>
    </message>
    <message numerus="yes">
        <source>%1; %Ln older one(s) are not kept</source>
        <translation>
            <numerusform>%1; %Ln älterer Eintrag ist nicht mehr da</numerusform>
            <numerusform>%1; %Ln ältere Einträge sind nicht mehr da</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::ServerDialog</name>
    <message>
        <source>By its &amp;socket on this machine</source>
        <translation>Über seinen &amp;Socket auf diesem Rechner</translation>
    </message>
    <message>
        <source>Over the &amp;network, with TLS</source>
        <translation>Über das &amp;Netz, mit TLS</translation>
    </message>
    <message>
        <source>Sa&amp;ve</source>
        <translation>Sic&amp;hern</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>En&amp;tfernen</translation>
    </message>
    <message>
        <source>Connect to a Daemon</source>
        <translation>Mit einem Dienst verbinden</translation>
    </message>
    <message>
        <source>...</source>
        <translation>...</translation>
    </message>
    <message>
        <source>Choose the file: %1</source>
        <translation>Datei wählen: %1</translation>
    </message>
    <message>
        <source>Daemon</source>
        <translation>Dienst</translation>
    </message>
    <message>
        <source>Name to save it under</source>
        <translation>Name, unter dem er gesichert wird</translation>
    </message>
    <message>
        <source>Socket of the daemon</source>
        <translation>Socket des Dienstes</translation>
    </message>
    <message>
        <source>Address and port of the daemon</source>
        <translation>Adresse und Port des Dienstes</translation>
    </message>
    <message>
        <source>sensor.example:7470</source>
        <translation>sensor.example:7470</translation>
    </message>
    <message>
        <source>By its socket on this machine</source>
        <translation>Über seinen Socket auf diesem Rechner</translation>
    </message>
    <message>
        <source>Over the network, with TLS</source>
        <translation>Über das Netz, mit TLS</translation>
    </message>
    <message>
        <source>&amp;Daemon:</source>
        <translation>&amp;Dienst:</translation>
    </message>
    <message>
        <source>&amp;Name:</source>
        <translation>N&amp;ame:</translation>
    </message>
    <message>
        <source>Socket:</source>
        <translation>Socket:</translation>
    </message>
    <message>
        <source>Address and port:</source>
        <translation>Adresse und Port:</translation>
    </message>
    <message>
        <source>Certificate:</source>
        <translation>Zertifikat:</translation>
    </message>
    <message>
        <source>Certificate of this user (PEM)</source>
        <translation>Zertifikat dieses Benutzers (PEM)</translation>
    </message>
    <message>
        <source>Key:</source>
        <translation>Schlüssel:</translation>
    </message>
    <message>
        <source>Authority:</source>
        <translation>Aussteller:</translation>
    </message>
    <message>
        <source>Certificate that signs the daemon&apos;s (PEM)</source>
        <translation>Zertifikat, das das des Dienstes unterzeichnet (PEM)</translation>
    </message>
    <message>
        <source>PEM file</source>
        <translation>PEM-Datei</translation>
    </message>
    <message>
        <source>What is missing</source>
        <translation>Was fehlt</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Save under this name</source>
        <translation>Unter diesem Namen sichern</translation>
    </message>
    <message>
        <source>Remove the saved daemon</source>
        <translation>Gesicherten Dienst entfernen</translation>
    </message>
    <message>
        <source>On this machine</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>The path of the daemon&apos;s socket is missing.</source>
        <translation>Der Pfad des Sockets des Dienstes fehlt.</translation>
    </message>
    <message>
        <source>The daemon&apos;s address and port are missing, as in sensor.example:7470.</source>
        <translation>Adresse und Port des Dienstes fehlen, etwa sensor.example:7470.</translation>
    </message>
    <message>
        <source>Over the network the daemon asks for a certificate: all three files are needed.</source>
        <translation>Über das Netz verlangt der Dienst ein Zertifikat: Alle drei Dateien sind nötig.</translation>
    </message>
    <message>
        <source>Where the daemon is: on this machine by the name of its socket, or elsewhere by host and port, with the certificates that both ends ask for. What is saved under a name can be chosen again.</source>
        <translation>Wo der Daemon ist: auf diesem Rechner nach dem Namen seines Sockets, oder anderswo nach Host und Port, mit den Zertifikaten, die beide Enden verlangen. Was unter einem Namen gespeichert ist, kann wieder gewählt werden.</translation>
    </message>
    <message>
        <source>Key of the certificate (PEM)</source>
        <translation>Schlüssel des Zertifikats (PEM)</translation>
    </message>
    <message>
        <source>PEM file, readable by you alone; its passphrase is asked for</source>
        <translation>PEM-Datei, nur für Sie lesbar; nach ihrer Passphrase wird gefragt</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::Session</name>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 kann nicht geschrieben werden: %2.</translation>
    </message>
    <message>
        <source>It was interrupted.</source>
        <translation>Es wurde unterbrochen.</translation>
    </message>
    <message>
        <source>There is no connection.</source>
        <translation>Es gibt keine Verbindung.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::SessionViews</name>
    <message>
        <source>Queue pairs</source>
        <translation>Queue Pairs</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Handshake</source>
        <translation>Handshake</translation>
    </message>
    <message>
        <source>Ladder</source>
        <translation>Ablauf</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Atomics</source>
        <translation>Atomics</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>Hosts</translation>
    </message>
    <message>
        <source>Every queue pair that was seen, a row each: its ends, its state, what became of it, its worst finding and its traffic. The filter above it understands fields and operators, as in: host == 10.0.0.1 and errors &gt; 0; it offers what may follow and shows at once whether it is understood. Enter chooses a queue pair for all other views; a column&apos;s heading says what it means.</source>
        <translation>Jedes Queue Pair, das gesehen wurde, eine Zeile je: seine Enden, sein Zustand, was aus ihm wurde, sein schlimmster Befund und sein Verkehr. Der Filter darüber versteht Felder und Operatoren, wie in: host == 10.0.0.1 and errors &gt; 0; er bietet an, was folgen kann, und zeigt sofort, ob er verstanden wird. Enter wählt ein Queue Pair für alle anderen Ansichten; die Überschrift einer Spalte sagt, was sie bedeutet.</translation>
    </message>
    <message>
        <source>Only what was asked for then is counted.</source>
        <translation>Nur was da verlangt wurde, ist gezählt.</translation>
    </message>
    <message>
        <source>Log lines</source>
        <translation>Logzeilen</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::SlowestModel</name>
    <message>
        <source>RDMA Read</source>
        <translation>RDMA Read</translation>
    </message>
    <message>
        <source>Atomic</source>
        <translation>Atomic</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>What was asked for</source>
        <translation>Was verlangt wurde</translation>
    </message>
    <message>
        <source>Who asked: the end A or the end B</source>
        <translation>Wer fragte: die Seite A oder die Seite B</translation>
    </message>
    <message>
        <source>When the request had passed the tap, from the first frame on</source>
        <translation>Wann die Anfrage am Abgriff vorbei war, vom ersten Frame an</translation>
    </message>
    <message>
        <source>From the request to the last octet of its response, at the tap</source>
        <translation>Von der Anfrage bis zum letzten Oktett ihrer Antwort, am Abgriff</translation>
    </message>
    <message>
        <source>From the request to the first octet of its response, at the tap</source>
        <translation>Von der Anfrage bis zum ersten Oktett ihrer Antwort, am Abgriff</translation>
    </message>
    <message>
        <source>Octets asked for</source>
        <translation>Verlangte Oktette</translation>
    </message>
    <message>
        <source>Frame of the request</source>
        <translation>Frame der Anfrage</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Began</source>
        <translation>Beginn</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>First octet</source>
        <translation>Erstes Oktett</translation>
    </message>
    <message>
        <source>Octets</source>
        <translation>Oktette</translation>
    </message>
    <message>
        <source>Frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>before the request</source>
        <translation>vor der Anfrage</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TableActions</name>
    <message>
        <source>&amp;Copy row</source>
        <translation>Zeile &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;sentence</source>
        <translation>&amp;Satz kopieren</translation>
    </message>
    <message>
        <source>&amp;Export table…</source>
        <translation>&amp;Tabelle ausgeben…</translation>
    </message>
    <message>
        <source>The row is in the clipboard.</source>
        <translation>Die Zeile ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>The sentence is in the clipboard.</source>
        <translation>Der Satz ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>Tabelle ausgeben</translation>
    </message>
    <message>
        <source>CSV (*.csv);;JSON (*.json)</source>
        <translation>CSV (*.csv);;JSON (*.json)</translation>
    </message>
    <message>
        <source>The table is in %1.</source>
        <translation>Die Tabelle steht in %1.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TimeNote</name>
    <message>
        <source>Marked time</source>
        <translation>Markierte Zeit</translation>
    </message>
    <message>
        <source>What the marked time hides here</source>
        <translation>Was die markierte Zeit hier verbirgt</translation>
    </message>
    <message>
        <source>All of time</source>
        <translation>Ganze Zeit</translation>
    </message>
    <message>
        <source>Show all of time in every view</source>
        <translation>Die ganze Zeit in jeder Ansicht zeigen</translation>
    </message>
    <message>
        <source>Shows all of time in every view (Esc)</source>
        <translation>Zeigt die ganze Zeit in jeder Ansicht (Esc)</translation>
    </message>
    <message>
        <source>Marked: %1. %2</source>
        <translation>Markiert: %1. %2</translation>
    </message>
    <message>
        <source>No row lies outside.</source>
        <translation>Keine Zeile liegt außerhalb.</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s) outside are hidden.</source>
        <translation>
            <numerusform>1 Zeile außerhalb ist verborgen.</numerusform>
            <numerusform>%n Zeilen außerhalb sind verborgen.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitverlauf</translation>
    </message>
    <message>
        <source>Show &amp;all</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>Shows all of time in every plot (0)</source>
        <translation>Zeigt in jedem Verlauf die ganze Zeit (0)</translation>
    </message>
    <message>
        <source>&amp;Clear mark</source>
        <translation>Markierung &amp;löschen</translation>
    </message>
    <message>
        <source>Every view shows all of time again (Esc)</source>
        <translation>Jede Ansicht zeigt wieder die ganze Zeit (Esc)</translation>
    </message>
    <message>
        <source>&amp;Save plot...</source>
        <translation>Verlauf &amp;sichern...</translation>
    </message>
    <message>
        <source>Saves one of the plots as PNG, SVG or CSV</source>
        <translation>Sichert einen der Verläufe als PNG, SVG oder CSV</translation>
    </message>
    <message>
        <source>Summary of the marked time</source>
        <translation>Zusammenfassung der markierten Zeit</translation>
    </message>
    <message>
        <source>Throughput by opcode</source>
        <translation>Durchsatz nach Opcode</translation>
    </message>
    <message>
        <source>Outstanding requests</source>
        <translation>Offene Anfragen</translation>
    </message>
    <message>
        <source>Latency of Reads and Atomics</source>
        <translation>Latenz von Reads und Atomics</translation>
    </message>
    <message>
        <source>How many took how long</source>
        <translation>Wie viele wie lange dauerten</translation>
    </message>
    <message>
        <source>What the transport did</source>
        <translation>Was der Transport tat</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>Anfragen</translation>
    </message>
    <message>
        <source>frames</source>
        <translation>Frames</translation>
    </message>
    <message>
        <source>Values at the cursor</source>
        <translation>Werte am Cursor</translation>
    </message>
    <message>
        <source>Drag, or hold Shift and press Left or Right, to mark a span of time in every view.</source>
        <translation>Ziehen, oder Umschalt halten und Links oder Rechts drücken, um in jeder Ansicht eine Zeitspanne zu markieren.</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln Nachricht</numerusform>
            <numerusform>%Ln Nachrichten</numerusform>
        </translation>
    </message>
    <message>
        <source>1 octet</source>
        <translation>1 Oktett</translation>
    </message>
    <message>
        <source>%1 octets</source>
        <translation>%1 Oktette</translation>
    </message>
    <message>
        <source>Marked: %1</source>
        <translation>Markiert: %1</translation>
    </message>
    <message>
        <source>%1; too many outstanding requests to count all</source>
        <translation>%1; zu viele offene Anfragen, um alle zu zählen</translation>
    </message>
    <message>
        <source>Picture (*.png);;Drawing (*.svg);;Values (*.csv)</source>
        <translation>Bild (*.png);;Zeichnung (*.svg);;Werte (*.csv)</translation>
    </message>
    <message>
        <source>Save plot</source>
        <translation>Verlauf sichern</translation>
    </message>
    <message>
        <source>%1.png</source>
        <translation>%1.png</translation>
    </message>
    <message>
        <source>%1 could not be written. Its name has to end with .png, .svg or .csv.</source>
        <translation>%1 konnte nicht geschrieben werden. Der Name muss auf .png, .svg oder .csv enden.</translation>
    </message>
    <message>
        <source>What the queue pair did over time: throughput by opcode, outstanding requests against the negotiated IRD and ORD (RFC 6581 §9.1), percentiles and a heat map of latencies, and what the transport sent again or lost. Drag, or hold Shift and press Left or Right, to mark a span of time: every view then shows that span. The wheel and + and - zoom, 0 shows all, Escape clears the mark.</source>
        <translation>Was das Queue Pair über die Zeit tat: Durchsatz nach Opcode, offene Anfragen gegen die ausgehandelten IRD und ORD (RFC 6581 §9.1), Perzentile und eine Heatmap der Latenzen, und was der Transport noch einmal sandte oder verlor. Ziehen, oder mit Shift Links oder Rechts drücken, markiert eine Zeitspanne: jede Ansicht zeigt dann diese Spanne. Das Rad und + und - zoomen, 0 zeigt alles, Escape löscht die Markierung.</translation>
    </message>
</context>
<context>
    <name>iwarpscope::gui::VerdictView</name>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Verdict of the queue pair</source>
        <translation>Urteil über das Queue Pair</translation>
    </message>
    <message>
        <source>Choose a queue pair to see what became of it.</source>
        <translation>Ein Queue Pair wählen, um zu sehen, was aus ihm wurde.</translation>
    </message>
    <message>
        <source>QP %1 (%2): %3</source>
        <translation>QP %1 (%2): %3</translation>
    </message>
    <message>
        <source>QP %1, %2</source>
        <translation>QP %1, %2</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>The verdict and its findings are of the queue pair&apos;s whole life.</source>
        <translation>Das Urteil und seine Befunde gelten für das ganze Leben des Queue Pairs.</translation>
    </message>
    <message>
        <source>in the marked time</source>
        <translation>in der markierten Zeit</translation>
    </message>
    <message>
        <source>outside it</source>
        <translation>außerhalb</translation>
    </message>
    <message>
        <source>its time is not known</source>
        <translation>seine Zeit ist nicht bekannt</translation>
    </message>
    <message>
        <source>The sentence is in the clipboard.</source>
        <translation>Der Satz ist in der Zwischenablage.</translation>
    </message>
    <message>
        <source>Copy the &amp;sentence</source>
        <translation>Den &amp;Satz kopieren</translation>
    </message>
    <message>
        <source>Findings that belong to no queue pair</source>
        <translation>Befunde, die zu keinem Queue Pair gehören</translation>
    </message>
    <message>
        <source>What became of the queue pair in one sentence, who caused it and how sure that is, the frames that show it, and what to check next. Below it are its findings, the worst first, with the full text of their rules. Links of frames move all other views there.</source>
        <translation>Was aus dem Queue Pair wurde, in einem Satz, wer es verursachte und wie sicher das ist, die Frames, die es zeigen, und was als Nächstes zu prüfen ist. Darunter seine Befunde, die schlimmsten zuerst, mit dem vollen Text ihrer Regeln. Verweise auf Frames führen alle anderen Ansichten dorthin.</translation>
    </message>
    <message>
        <source>They are not at hand: they are still to come, or too old to be kept.</source>
        <translation>Sie liegen nicht vor: Sie kommen noch, oder sie sind zu alt, um behalten zu werden.</translation>
    </message>
</context>
</TS>
