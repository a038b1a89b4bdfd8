-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the service of the centre needs: the order of arrival, records for people, findings of the centre.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

-- A transaction that draws numbers of arrival holds a shared lock from before the first one until others see its records. So a
-- reader that reads the last number, and then who holds the lock, knows: once none of these holds it, there is nothing to come up
-- to this number.
CREATE FUNCTION deliveries() RETURNS TABLE (last bigint, running text[]) LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO last FROM iwarpscope.arrival s;
  SELECT coalesce(array_agg(l.virtualtransaction), '{}') INTO running FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND l.classid = 1767330659 AND l.objid = 2 AND l.objsubid = 2;
  RETURN NEXT;
END $$;
REVOKE ALL ON FUNCTION deliveries() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION deliveries() TO iwarpscope_reader, iwarpscope_keeper;

-- Ends connections of sensors that hold this lock and do nothing: what arrived after them cannot be shown as long as they do. And those
-- with a transaction of more than a minute, unless they wait for a standby. Gives their names.
CREATE FUNCTION end_stuck_deliveries() RETURNS SETOF name
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  stuck record;
BEGIN
  FOR stuck IN
    SELECT a.pid, a.usename FROM pg_stat_activity a JOIN iwarpscope.sensor s ON s.role = a.usename
      WHERE a.datname = current_database() AND (
        (a.xact_start < clock_timestamp() - interval '1 minute' AND a.wait_event IS DISTINCT FROM 'SyncRep') OR
        (a.state LIKE 'idle in transaction%' AND a.state_change < clock_timestamp() - interval '10 seconds' AND EXISTS (
           SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory' AND l.classid = 1767330659 AND l.objid = 2 AND l.objsubid = 2))) LOOP
    IF pg_terminate_backend(stuck.pid) THEN RETURN NEXT stuck.usename; END IF;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION end_stuck_deliveries() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_stuck_deliveries() TO iwarpscope_keeper;

-- A record for people: the sensor is the one that logged in, whatever the record says, and a queue pair has its number at the centre.
CREATE FUNCTION shown(body jsonb, sensor name, run integer, qp bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT (CASE WHEN jsonb_typeof(body) <> 'object' THEN jsonb_build_object('record', 'unreadable', 'text', body)
               WHEN NOT body ? 'qp' OR sensor = 'iwarpscope_centre' THEN body
               WHEN qp BETWEEN 0 AND 9999999999 THEN body || jsonb_build_object('qp', run * 10000000000 + qp)
               ELSE body || '{"qp": null}' END || jsonb_build_object('sensor', sensor))::text
$$;
REVOKE ALL ON FUNCTION shown(jsonb, name, integer, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shown(jsonb, name, integer, bigint) TO iwarpscope_reader, iwarpscope_keeper;

-- The centre's own findings are stored like those of a sensor. Its run is also what names places in the order of arrival.
INSERT INTO sensor (number, role, position) OVERRIDING SYSTEM VALUE VALUES (0, 'iwarpscope_centre', 'all sensors');
INSERT INTO run (number, sensor, uuid) VALUES (0, 0, gen_random_uuid());

-- After a server took over that lost records: places of clients in the order of arrival count no more. Once for each `before`.
CREATE FUNCTION forget_places(before uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  WITH renamed AS (UPDATE iwarpscope.run r SET uuid = gen_random_uuid() WHERE r.number = 0 AND r.uuid = before RETURNING r.uuid)
  UPDATE iwarpscope.cursor c SET uuid = n.uuid, run = n.uuid FROM renamed n WHERE c.sensor = 0 AND c.uuid = before
$$;
REVOKE ALL ON FUNCTION forget_places(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_places(uuid) TO iwarpscope_keeper;

-- What the centre itself found about a queue pair, beside what its sensor did.
CREATE TABLE centre_finding (
  run integer NOT NULL,
  qp bigint NOT NULL, -- its number at the sensor
  day date NOT NULL, -- of the last one
  severity smallint NOT NULL, -- the worst
  worst text NOT NULL, -- the first rule of that severity
  errors bigint NOT NULL,
  warnings bigint NOT NULL,
  notes bigint NOT NULL,
  PRIMARY KEY (run, qp));
GRANT SELECT ON centre_finding TO iwarpscope_reader, iwarpscope_keeper;

-- Stores a finding of the centre; gives its id. `qp`: number at the centre.
CREATE FUNCTION find_v1(rule text, severity smallint, at timestamptz, a inet, b inet, qp bigint, community_id text, body jsonb) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  me iwarpscope.run;
  its_id bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(1767330659, 2);
  UPDATE iwarpscope.sensor s SET delivered = now() WHERE s.role = 'iwarpscope_centre'; -- one after the other
  SELECT r.* INTO me FROM iwarpscope.run r JOIN iwarpscope.sensor s ON s.number = r.sensor WHERE s.role = 'iwarpscope_centre';
  INSERT INTO iwarpscope.cursor AS c (sensor, uuid, kind, run, id) VALUES (me.sensor, me.uuid, 1, me.uuid, 1)
    ON CONFLICT (sensor, uuid, kind) DO UPDATE SET id = c.id + 1, moved = now() RETURNING c.id INTO its_id;
  INSERT INTO iwarpscope.record (id, qp, sequence, stored, at, day, sensor, run, kind, severity, form, key, a, b, community_id, body)
    VALUES (its_id, find_v1.qp, its_id, now(), find_v1.at, (now() AT TIME ZONE 'UTC')::date, me.sensor, me.number, 1, find_v1.severity, 0,
            find_v1.rule, find_v1.a, find_v1.b, find_v1.community_id,
            find_v1.body || jsonb_build_object('record', 'finding', 'id', find_v1.rule, 'qp', find_v1.qp, 'sequence', its_id,
                                               'run_uuid', me.uuid, 'sensor', 'iwarpscope_centre'));
  IF qp IS NOT NULL THEN
    INSERT INTO iwarpscope.centre_finding AS f (run, qp, day, severity, worst, errors, warnings, notes)
      VALUES (find_v1.qp / 10000000000, find_v1.qp % 10000000000, (now() AT TIME ZONE 'UTC')::date, find_v1.severity, find_v1.rule,
              (find_v1.severity = 3)::int, (find_v1.severity = 2)::int, (find_v1.severity = 1)::int)
      ON CONFLICT ON CONSTRAINT centre_finding_pkey DO UPDATE SET
        day = excluded.day, worst = CASE WHEN excluded.severity > f.severity THEN excluded.worst ELSE f.worst END,
        severity = greatest(f.severity, excluded.severity), errors = f.errors + excluded.errors,
        warnings = f.warnings + excluded.warnings, notes = f.notes + excluded.notes;
  END IF;
  IF pg_notification_queue_usage() < 0.1 THEN
    PERFORM pg_notify('iwarpscope', me.sensor::text);
  END IF;
  RETURN its_id;
END $$;
REVOKE ALL ON FUNCTION find_v1(text, smallint, timestamptz, inet, inet, bigint, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_v1(text, smallint, timestamptz, inet, inet, bigint, text, jsonb) TO iwarpscope_keeper;
RESET ROLE;
