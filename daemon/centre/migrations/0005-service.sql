-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- What the service of the centre needs: the order of arrival, lists of queue pairs, the addresses of sensors, findings of the centre.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

-- Numbers of records in the order in which they arrived from all sensors. They have holes. Records from before this step have none.
CREATE SEQUENCE arrival;
GRANT USAGE ON SEQUENCE arrival TO iwarpscope_door;
GRANT SELECT ON SEQUENCE arrival TO iwarpscope_reader, iwarpscope_keeper;
ALTER TABLE record ADD COLUMN arrival bigint;
ALTER TABLE record ALTER COLUMN arrival SET DEFAULT nextval('iwarpscope.arrival');
CREATE INDEX record_kind_arrival ON record (kind, arrival);

ALTER TABLE sensor ADD COLUMN api text NOT NULL DEFAULT ''; -- HOST:PORT of its API; empty: it is not asked
ALTER TABLE qp
  ADD COLUMN errors bigint NOT NULL DEFAULT 0, -- findings
  ADD COLUMN warnings bigint NOT NULL DEFAULT 0,
  ADD COLUMN notes bigint NOT NULL DEFAULT 0,
  ADD COLUMN payload_octets bigint NOT NULL DEFAULT 0; -- of the upper layer, both directions
CREATE UNIQUE INDEX qp_number ON qp (run, qp); -- the order of lists

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
INSERT INTO run (number, sensor, uuid) OVERRIDING SYSTEM VALUE VALUES (0, 0, gen_random_uuid());

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
  PERFORM pg_notify('iwarpscope', me.sensor::text);
  RETURN its_id;
END $$;
REVOKE ALL ON FUNCTION find_v1(text, smallint, timestamptz, inet, inet, bigint, text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_v1(text, smallint, timestamptz, inet, inet, bigint, text, jsonb) TO iwarpscope_keeper;
RESET ROLE;

-- As add_sensor() with three arguments; `sensor_api`: HOST:PORT of the sensor's API, NULL: as it was.
CREATE FUNCTION iwarpscope.add_sensor(sensor_name text, sensor_site text, sensor_position text, sensor_api text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its_number integer := iwarpscope.add_sensor(sensor_name, sensor_site, sensor_position);
BEGIN
  UPDATE iwarpscope.sensor SET api = coalesce(sensor_api, api) WHERE number = its_number;
  RETURN its_number;
END $$;
REVOKE ALL ON FUNCTION iwarpscope.add_sensor(text, text, text, text) FROM PUBLIC;

-- As in step 3, and holds the lock of deliveries().
CREATE OR REPLACE FUNCTION iwarpscope.calling_sensor(sensor_uuid uuid) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  me integer;
BEGIN
  UPDATE iwarpscope.sensor SET uuid = sensor_uuid, delivered = now()
    WHERE role = session_user AND removed IS NULL RETURNING number INTO me;
  IF me IS NULL THEN
    RAISE EXCEPTION 'The role % is no sensor of this centre.', quote_ident(session_user) USING ERRCODE = 'IWS02';
  END IF;
  PERFORM pg_advisory_xact_lock_shared(1767330659, 2);
  RETURN me;
END $$;

-- A count in a JSON body, if it is one.
CREATE FUNCTION iwarpscope.as_count(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value #>> '{}' ~ '^[0-9]{1,18}$' THEN (value #>> '{}')::bigint ELSE 0 END
$$;
REVOKE ALL ON FUNCTION iwarpscope.as_count(jsonb) FROM PUBLIC;
ALTER FUNCTION iwarpscope.as_count(jsonb) OWNER TO iwarpscope_door;

-- As in step 3, and counts findings and payload of queue pairs.
CREATE OR REPLACE FUNCTION iwarpscope.deliver_v1(
  sensor_uuid uuid,
  expected_kinds smallint[], expected_runs uuid[], expected_ids bigint[],
  kinds smallint[], ids bigint[], runs uuid[], stored bigint[], times bigint[], keys text[], severities smallint[], qps bigint[],
  a text[], b text[], community_ids text[], sequences bigint[], interfaces text[], tap_groups text[], bodies text[],
  expired_kinds smallint[], expired_counts bigint[],
  OUT added integer, OUT known integer, OUT changed integer) -- records: stored now, here before, stored in another form
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
#variable_conflict use_column
DECLARE
  me integer := iwarpscope.calling_sensor(sensor_uuid);
  size integer := cardinality(kinds);
  numbers integer[]; -- of the runs
  careful boolean;
BEGIN
  IF (cardinality(expected_runs), cardinality(expected_ids), cardinality(expired_counts))
       IS DISTINCT FROM (cardinality(expected_kinds), cardinality(expected_kinds), cardinality(expired_kinds))
     OR (cardinality(ids), cardinality(runs), cardinality(stored), cardinality(times), cardinality(keys), cardinality(severities),
         cardinality(qps), cardinality(a), cardinality(b), cardinality(community_ids), cardinality(sequences),
         cardinality(interfaces), cardinality(tap_groups), cardinality(bodies))
       IS DISTINCT FROM (size, size, size, size, size, size, size, size, size, size, size, size, size, size)
     OR array_position(kinds, NULL) IS NOT NULL OR array_position(ids, NULL) IS NOT NULL OR array_position(runs, NULL) IS NOT NULL
     OR array_position(stored, NULL) IS NOT NULL OR array_position(times, NULL) IS NOT NULL THEN
    RAISE EXCEPTION 'The arrays of a delivery have different lengths, or no value where one is needed.' USING ERRCODE = 'IWS03';
  END IF;
  PERFORM iwarpscope.check_cursor(me, sensor_uuid, expected_kinds, expected_runs, expected_ids);

  INSERT INTO iwarpscope.run (sensor, uuid)
    SELECT DISTINCT me, r FROM unnest(runs) r
    WHERE NOT EXISTS (SELECT FROM iwarpscope.run o WHERE o.sensor = me AND o.uuid = r);
  SELECT array_agg(o.number ORDER BY r.n) INTO numbers
    FROM unnest(runs) WITH ORDINALITY AS r(uuid, n) JOIN iwarpscope.run o ON o.sensor = me AND o.uuid = r.uuid;

  -- Bodies and addresses are read as they are. If one of them cannot be read, all are read again with care.
  -- Texts that are indexed are cut: an index row has a limit.
  FOREACH careful IN ARRAY ARRAY[false, true] LOOP
    BEGIN
      WITH batch AS MATERIALIZED (
        SELECT r.id, r.qp, r.sequence, iwarpscope.as_time(r.stored) AS stored, iwarpscope.as_time(r.time) AS at,
               iwarpscope.as_day(r.stored) AS day, r.run, r.kind, coalesce(r.severity, 0::smallint) AS severity,
               coalesce((f.read).form, 0::smallint) AS form, left(coalesce(r.key, ''), 200) AS key, r.a <> '' AS has_a, r.b <> '' AS has_b,
               CASE WHEN careful THEN iwarpscope.as_address(r.a) ELSE nullif(r.a, '')::inet END AS a,
               CASE WHEN careful THEN iwarpscope.as_address(r.b) ELSE nullif(r.b, '')::inet END AS b,
               nullif(left(r.community_id, 200), '') AS community_id, nullif(r.interface, '') AS interface, nullif(r.tap_group, '') AS tap_group,
               coalesce((f.read).body, r.body::jsonb, 'null') AS body
          FROM unnest(kinds, ids, numbers, stored, times, keys, severities, qps, a, b, community_ids, sequences, interfaces, tap_groups, bodies)
                 AS r(kind, id, run, stored, time, key, severity, qp, a, b, community_id, sequence, interface, tap_group, body),
               LATERAL (SELECT CASE WHEN careful THEN iwarpscope.as_body(coalesce(r.body, 'null')) END) AS f(read)),
      in_record AS (
        INSERT INTO iwarpscope.record (id, qp, sequence, stored, at, day, sensor, run, kind, severity, form, key, a, b, community_id, interface,
                                       tap_group, body)
          SELECT r.id, r.qp, r.sequence, r.stored, r.at, r.day, me, r.run, r.kind, r.severity, r.form, r.key, r.a, r.b, r.community_id,
                 r.interface, r.tap_group, r.body
            FROM batch r WHERE r.kind <> 4
          ON CONFLICT DO NOTHING RETURNING 1),
      in_state AS (
        INSERT INTO iwarpscope.state (id, qp, sequence, stored, at, day, sensor, run, kind, severity, form, key, a, b, community_id, interface,
                                      tap_group, body)
          SELECT r.id, r.qp, r.sequence, r.stored, r.at, r.day, me, r.run, r.kind, r.severity, r.form, r.key, r.a, r.b, r.community_id,
                 r.interface, r.tap_group, r.body
            FROM batch r WHERE r.kind = 4
          ON CONFLICT DO NOTHING RETURNING 1),
      -- What is known of queue pairs: the end of one counts more than a state, then the newest counts.
      in_qp AS (
        INSERT INTO iwarpscope.qp AS q (qp, id, stored, at, day, sensor, run, a_port, b_port, kind, severity, a, b, state, outcome, ulp, transport,
                                        community_id, interface, tap_group, errors, warnings, notes, payload_octets)
          SELECT DISTINCT ON (r.run, r.qp) r.* FROM (
            SELECT r.qp, r.id, r.stored, r.at, r.day, me, r.run, iwarpscope.as_port(r.body #> '{a,port}'),
                   iwarpscope.as_port(r.body #> '{b,port}'), r.kind, r.severity, r.a, r.b, left(r.body ->> 'state', 200),
                   left(r.body #>> '{verdict,outcome}', 200), left(r.body ->> 'ulp', 200), left(r.body ->> 'transport', 200), r.community_id,
                   r.interface, r.tap_group, iwarpscope.as_count(r.body #> '{findings,errors}'),
                   iwarpscope.as_count(r.body #> '{findings,warnings}'), iwarpscope.as_count(r.body #> '{findings,notes}'),
                   iwarpscope.as_count(r.body -> 'payload_octets')
              FROM batch r WHERE r.kind IN (2, 4) AND r.qp IS NOT NULL) r
            ORDER BY r.run, r.qp, r.kind, r.id DESC
          ON CONFLICT (sensor, run, qp) DO UPDATE SET
            id = excluded.id, stored = excluded.stored, at = excluded.at, day = excluded.day, a_port = excluded.a_port,
            b_port = excluded.b_port, kind = excluded.kind, severity = greatest(q.severity, excluded.severity), a = excluded.a, b = excluded.b,
            state = excluded.state, outcome = excluded.outcome, ulp = excluded.ulp, transport = excluded.transport,
            community_id = excluded.community_id, interface = excluded.interface, tap_group = excluded.tap_group, arrived = now(), body = NULL,
            errors = excluded.errors, warnings = excluded.warnings, notes = excluded.notes, payload_octets = excluded.payload_octets
            WHERE (excluded.kind = 2, excluded.id) > (q.kind = 2, q.id))
      SELECT (SELECT count(*) FROM in_record) + (SELECT count(*) FROM in_state),
             CASE WHEN careful THEN (SELECT count(*) FROM batch r WHERE r.form <> 0 OR (r.has_a AND r.a IS NULL) OR (r.has_b AND r.b IS NULL))
                  ELSE 0 END
        INTO added, changed;
      EXIT;
    EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
      IF careful THEN RAISE; END IF;
    END;
  END LOOP;
  known := size - added;
  IF changed > 0 THEN
    UPDATE iwarpscope.sensor s SET changed = s.changed + deliver_v1.changed WHERE s.number = me;
  END IF;

  IF 1 = ANY (kinds) THEN
    INSERT INTO iwarpscope.qp AS q (qp, id, stored, at, day, sensor, run, kind, severity, a, b, community_id, interface, tap_group)
      SELECT DISTINCT ON (r.run, r.qp)
             r.qp, 0, iwarpscope.as_time(r.stored), iwarpscope.as_time(r.time), iwarpscope.as_day(r.stored), me, r.run, 1, r.severity,
             iwarpscope.as_address(r.a), iwarpscope.as_address(r.b),
             nullif(left(r.community_id, 200), ''), nullif(r.interface, ''), nullif(r.tap_group, '')
        FROM unnest(kinds, numbers, stored, times, severities, qps, a, b, community_ids, interfaces, tap_groups)
          AS r(kind, run, stored, time, severity, qp, a, b, community_id, interface, tap_group)
        WHERE r.kind = 1 AND r.qp IS NOT NULL AND r.severity IS NOT NULL
        ORDER BY r.run, r.qp, r.severity DESC
      ON CONFLICT (sensor, run, qp) DO UPDATE SET severity = excluded.severity WHERE q.severity < excluded.severity;
  END IF;
  IF 5 = ANY (kinds) THEN
    UPDATE iwarpscope.sensor s SET heartbeat = (r.read).body, heartbeat_at = iwarpscope.as_time(r.stored)
      FROM (SELECT iwarpscope.as_body(coalesce(h.body, 'null')) AS read, h.stored
              FROM unnest(kinds, stored, bodies) WITH ORDINALITY AS h(kind, stored, body, n) WHERE h.kind = 5 ORDER BY h.n DESC LIMIT 1) r
      WHERE s.number = me;
  END IF;

  INSERT INTO iwarpscope.cursor (sensor, uuid, kind, run, id)
    SELECT DISTINCT ON (r.kind) me, sensor_uuid, r.kind, r.run, r.id
      FROM unnest(kinds, runs, ids) WITH ORDINALITY AS r(kind, run, id, n) ORDER BY r.kind, r.n DESC
    ON CONFLICT (sensor, uuid, kind) DO UPDATE SET run = excluded.run, id = excluded.id, moved = now();
  INSERT INTO iwarpscope.dropped AS d (sensor, run, kind, count)
    SELECT me, coalesce(p.run, '00000000-0000-0000-0000-000000000000'), e.kind, sum(e.count)
      FROM unnest(expired_kinds, expired_counts) AS e(kind, count)
        LEFT JOIN unnest(expected_kinds, expected_runs) AS p(kind, run) ON p.kind = e.kind
      WHERE e.count > 0 GROUP BY p.run, e.kind
    ON CONFLICT (sensor, run, kind) DO UPDATE SET count = d.count + excluded.count, last = now();

  -- Says that something is new. A transaction with a notification holds a lock of the whole cluster until the standby has its commit:
  -- the others would wait for each other. So one of those that commit at the same time notifies. A listener looks at the
  -- cursors of all sensors when it is notified, and once a second, as the last of them may have been silent.
  IF size > 0 AND pg_try_advisory_xact_lock(1767330659, 1) THEN
    PERFORM pg_notify('iwarpscope', me::text);
  END IF;
END $$;
