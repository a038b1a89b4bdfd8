-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- What a sensor may call: cursor_v1 and deliver_v1. A change that a forwarder would see gets another name.
-- Functions without a search_path of their own are called by those that have one, and by nothing else.
-- SQLSTATE IWS01: the cursor is elsewhere; IWS02: the caller is no sensor; IWS03: the arrays do not fit each other; IWS06: too many runs.

CREATE FUNCTION iwarpscope.as_address(written text) RETURNS inet LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN nullif(written, '')::inet;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END $$;

-- A JSON text has no number that is much longer once it is read: 1e131071 has eight characters as it is sent, and 131 072 then.
CREATE FUNCTION iwarpscope.is_plain(written text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT written !~ '[:,[[:space:]-][0-9.]+[eE][+-]?[0-9]{3}'
      OR regexp_replace(written, '"(?:[^"\\]|\\.)*"', '', 'g') !~ '[0-9][eE][+-]?[0-9]{3}'
$$;

-- Any text as JSON: what jsonb cannot have is replaced, or the begin of the text is kept as one string. Readers get pages of bodies: none
-- is larger than 256 KiB. Those of sensors have up to 50 KB.
CREATE TYPE iwarpscope.readable AS (body jsonb, form smallint);
CREATE FUNCTION iwarpscope.as_body(written text) RETURNS iwarpscope.readable LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  body jsonb;
  form smallint := 0;
  why text;
BEGIN
  IF octet_length(written) > 262144 THEN
    why := 'It is longer than 256 KiB.';
  ELSIF NOT iwarpscope.is_plain(written) THEN
    why := 'It has a number with a large exponent.';
  ELSE
    BEGIN
      body := written::jsonb;
    EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
      form := 1;
    END;
    IF form = 1 THEN
      BEGIN
        -- U+0000 as an escape; not \\u0000, which is a backslash and five characters.
        body := regexp_replace(written, '(?<!\\)((?:\\\\)*)\\u0000', '\1\\ufffd', 'g')::jsonb;
      EXCEPTION WHEN data_exception OR program_limit_exceeded THEN
        why := SQLERRM;
      END;
    END IF;
    IF octet_length(body::text) > 262144 THEN
      why := 'Its text is longer than 256 KiB.';
    END IF;
    IF why IS NULL THEN RETURN (body, form); END IF;
  END IF;
  body := jsonb_build_object('record', 'unreadable', 'error', why, 'text', left(written, 65536));
  RETURN (body, 2::smallint);
END $$;

-- The same, for texts that are as they should be: fails for others.
CREATE FUNCTION iwarpscope.as_sent(written text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN octet_length(written) > 16384 OR NOT iwarpscope.is_plain(written) THEN '' ELSE written END::jsonb
$$;

-- A number in a JSON body, if it is one that fits a port.
CREATE FUNCTION iwarpscope.as_port(value jsonb) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value #>> '{}' ~ '^[0-9]{1,5}$' THEN (value #>> '{}')::integer END
$$;

-- A count in a JSON body, if it is one.
CREATE FUNCTION iwarpscope.as_count(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value #>> '{}' ~ '^[0-9]{1,17}$' THEN (value #>> '{}')::bigint ELSE 0 END
$$;

CREATE FUNCTION iwarpscope.as_time(nanoseconds bigint) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT timestamptz '1970-01-01 00:00:00+00' + nanoseconds / 1000 * interval '1 microsecond'
$$;

CREATE FUNCTION iwarpscope.as_day(nanoseconds bigint) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT date '1970-01-01' + (greatest(nanoseconds, 0) / 86400000000000)::integer
$$;

-- The number of the sensor that calls; locks it until the transaction ends, so that its deliveries follow each other.
CREATE FUNCTION iwarpscope.calling_sensor(sensor_uuid uuid) RETURNS integer LANGUAGE plpgsql AS $$
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

-- Up to where the history with this UUID was delivered by the sensor that calls.
CREATE FUNCTION iwarpscope.cursor_v1(sensor_uuid uuid) RETURNS TABLE (kind smallint, run uuid, id bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM iwarpscope.sensor s WHERE s.role = session_user AND s.removed IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'The role % is no sensor of this centre.', quote_ident(session_user) USING ERRCODE = 'IWS02';
  END IF;
  RETURN QUERY SELECT c.kind, c.run, c.id FROM iwarpscope.cursor c JOIN iwarpscope.sensor s ON s.number = c.sensor
    WHERE s.role = session_user AND c.uuid = sensor_uuid ORDER BY c.kind;
END $$;

-- The forwarder writes what it believes that the cursor is. If a batch before this one failed, or another forwarder
-- delivers the same history, it is not: nothing is stored then.
CREATE FUNCTION iwarpscope.is_at_cursor(me integer, sensor_uuid uuid, kinds smallint[], runs uuid[], ids bigint[]) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  there integer; -- kinds that have a cursor
  equal integer; -- of them, those that are where the batch begins
BEGIN
  SELECT count(*), count(e.kind) INTO there, equal
    FROM iwarpscope.cursor c LEFT JOIN unnest(kinds, runs, ids) AS e(kind, run, id) ON (e.kind, e.run, e.id) = (c.kind, c.run, c.id)
    WHERE c.sensor = me AND c.uuid = sensor_uuid;
  IF there = 0 AND cardinality(kinds) = 0 THEN
    -- A history that is not known yet. Those of 16 others are kept.
    DELETE FROM iwarpscope.cursor c WHERE c.sensor = me AND c.uuid IN (
      SELECT o.uuid FROM iwarpscope.cursor o WHERE o.sensor = me GROUP BY o.uuid ORDER BY max(o.moved) DESC OFFSET 16);
  END IF;
  RETURN equal = there AND cardinality(kinds) = there;
END $$;

-- Numbers of the runs with these UUIDs, in their order. A run that is new gets the next one.
CREATE FUNCTION iwarpscope.numbers_of_runs(me integer, runs uuid[]) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
  numbers integer[];
  fresh uuid[];
  last_number integer;
BEGIN
  SELECT array_agg(o.number ORDER BY r.n) INTO numbers
    FROM unnest(runs) WITH ORDINALITY AS r(uuid, n) JOIN iwarpscope.run o ON o.sensor = me AND o.uuid = r.uuid;
  IF coalesce(cardinality(numbers), 0) = cardinality(runs) THEN RETURN numbers; END IF;
  SELECT array_agg(DISTINCT r) INTO fresh FROM unnest(runs) r WHERE NOT EXISTS (SELECT FROM iwarpscope.run o WHERE o.sensor = me AND o.uuid = r);
  -- The number of a run has ten digits of a queue pair's number behind it: there are not endlessly many. A delivery that fails uses none.
  IF (SELECT count(*) + cardinality(fresh) > 5000 FROM iwarpscope.run r WHERE r.sensor = me AND r.first_seen > now() - interval '1 day') THEN
    RAISE EXCEPTION 'The daemon of this sensor was started more than 5000 times within a day.' USING ERRCODE = 'IWS06';
  END IF;
  UPDATE iwarpscope.run_number n SET last = n.last + cardinality(fresh) RETURNING n.last - cardinality(fresh) INTO last_number;
  INSERT INTO iwarpscope.run (number, sensor, uuid)
    SELECT last_number + f.n, me, f.uuid FROM unnest(fresh) WITH ORDINALITY AS f(uuid, n);
  RETURN iwarpscope.numbers_of_runs(me, runs);
END $$;

-- The records of a batch as tables have them. `careful`: what cannot be read is replaced, else it is an error. Texts that are indexed
-- are cut: an index row has a limit. Becomes a part of the statement that calls it.
CREATE FUNCTION iwarpscope.batch(
  careful boolean,
  kinds smallint[], ids bigint[], runs integer[], stored bigint[], times bigint[], keys text[], severities smallint[], qps bigint[],
  a text[], b text[], community_ids text[], sequences bigint[], interfaces text[], tap_groups text[], bodies text[])
RETURNS TABLE (id bigint, qp bigint, sequence bigint, stored timestamptz, at timestamptz, day date, run integer, kind smallint, severity smallint,
               form smallint, key text, a inet, b inet, community_id text, interface text, tap_group text, body jsonb, has_other_ends boolean)
LANGUAGE sql STABLE AS $$
  SELECT r.id, r.qp, r.sequence, iwarpscope.as_time(r.stored), iwarpscope.as_time(r.time), iwarpscope.as_day(r.stored), r.run, r.kind,
         coalesce(r.severity, 0::smallint), coalesce((f.read).form, 0::smallint), left(coalesce(r.key, ''), 200), e.a, e.b,
         nullif(left(r.community_id, 200), ''), nullif(r.interface, ''), nullif(r.tap_group, ''),
         coalesce((f.read).body, iwarpscope.as_sent(r.body), 'null'), (r.a <> '' AND e.a IS NULL) OR (r.b <> '' AND e.b IS NULL)
    FROM unnest(kinds, ids, runs, stored, times, keys, severities, qps, a, b, community_ids, sequences, interfaces, tap_groups, bodies)
           AS r(kind, id, run, stored, time, key, severity, qp, a, b, community_id, sequence, interface, tap_group, body),
         LATERAL (SELECT CASE WHEN careful THEN iwarpscope.as_body(coalesce(r.body, 'null')) END) AS f(read),
         LATERAL (SELECT CASE WHEN careful THEN iwarpscope.as_address(r.a) ELSE nullif(r.a, '')::inet END,
                         CASE WHEN careful THEN iwarpscope.as_address(r.b) ELSE nullif(r.b, '')::inet END) AS e(a, b)
$$;

CREATE FUNCTION iwarpscope.deliver_v1(
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
  states integer;
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
  IF NOT iwarpscope.is_at_cursor(me, sensor_uuid, expected_kinds, expected_runs, expected_ids) THEN
    RAISE EXCEPTION 'The cursor of this sensor is not where the batch begins: a batch before it was not stored, or another forwarder delivers.'
      USING ERRCODE = 'IWS01';
  END IF;
  numbers := iwarpscope.numbers_of_runs(me, runs);

  -- Bodies and addresses are read as they are. If one of them cannot be read, all are read again with care. What a batch has not costs
  -- nothing: the preparation of a statement takes longer than some records do.
  FOREACH careful IN ARRAY ARRAY[false, true] LOOP
    BEGIN
      INSERT INTO iwarpscope.record (id, qp, sequence, stored, at, day, sensor, run, kind, severity, form, key, a, b, community_id, interface,
                                     tap_group, body)
        SELECT r.id, r.qp, r.sequence, r.stored, r.at, r.day, me, r.run, r.kind, r.severity, r.form, r.key, r.a, r.b, r.community_id,
               r.interface, r.tap_group, r.body
          FROM iwarpscope.batch(careful, kinds, ids, numbers, stored, times, keys, severities, qps, a, b, community_ids, sequences, interfaces,
                                tap_groups, bodies) r
          WHERE r.kind <> 4
        ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS added = ROW_COUNT;
      IF 4 = ANY (kinds) THEN
        INSERT INTO iwarpscope.state (id, qp, sequence, stored, at, day, sensor, run, kind, severity, form, key, a, b, community_id, interface,
                                      tap_group, body)
          SELECT r.id, r.qp, r.sequence, r.stored, r.at, r.day, me, r.run, r.kind, r.severity, r.form, r.key, r.a, r.b, r.community_id,
                 r.interface, r.tap_group, r.body
            FROM iwarpscope.batch(careful, kinds, ids, numbers, stored, times, keys, severities, qps, a, b, community_ids, sequences, interfaces,
                                  tap_groups, bodies) r
            WHERE r.kind = 4
          ON CONFLICT DO NOTHING;
        GET DIAGNOSTICS states = ROW_COUNT;
        added := added + states;
      END IF;
      IF 2 = ANY (kinds) OR 4 = ANY (kinds) THEN
        -- What is known of queue pairs: the end of one counts more than a state, then the newest counts.
        INSERT INTO iwarpscope.qp AS q (qp, id, stored, at, day, sensor, run, a_port, b_port, kind, severity, a, b, state, outcome, ulp, transport,
                                        community_id, interface, tap_group, errors, warnings, notes, payload_octets)
          SELECT DISTINCT ON (r.run, r.qp) r.* FROM (
            SELECT r.qp, r.id, r.stored, r.at, r.day, me, r.run, iwarpscope.as_port(r.body #> '{a,port}'),
                   iwarpscope.as_port(r.body #> '{b,port}'), r.kind, r.severity, r.a, r.b, left(r.body ->> 'state', 200),
                   left(r.body #>> '{verdict,outcome}', 200), left(r.body ->> 'ulp', 200), left(r.body ->> 'transport', 200), r.community_id,
                   r.interface, r.tap_group, iwarpscope.as_count(r.body #> '{findings,errors}'),
                   iwarpscope.as_count(r.body #> '{findings,warnings}'), iwarpscope.as_count(r.body #> '{findings,notes}'),
                   iwarpscope.as_count(r.body -> 'payload_octets')
              FROM (SELECT r.*
                      FROM iwarpscope.batch(careful, kinds, ids, numbers, stored, times, keys, severities, qps, a, b, community_ids, sequences,
                                            interfaces, tap_groups, bodies) r
                      WHERE r.kind IN (2, 4) AND r.qp IS NOT NULL OFFSET 0) r) r -- each body is read once
            ORDER BY r.run, r.qp, r.kind, r.id DESC
          ON CONFLICT (sensor, run, qp) DO UPDATE SET
            id = excluded.id, stored = excluded.stored, at = excluded.at, day = excluded.day, a_port = excluded.a_port,
            b_port = excluded.b_port, kind = excluded.kind, severity = greatest(q.severity, excluded.severity), a = excluded.a, b = excluded.b,
            state = excluded.state, outcome = excluded.outcome, ulp = excluded.ulp, transport = excluded.transport,
            community_id = excluded.community_id, interface = excluded.interface, tap_group = excluded.tap_group, arrived = now(), body = NULL,
            errors = excluded.errors, warnings = excluded.warnings, notes = excluded.notes, payload_octets = excluded.payload_octets
            WHERE (excluded.kind = 2, excluded.id) > (q.kind = 2, q.id);
      END IF;
      changed := 0;
      IF careful THEN
        SELECT count(*) INTO changed
          FROM iwarpscope.batch(careful, kinds, ids, numbers, stored, times, keys, severities, qps, a, b, community_ids, sequences, interfaces,
                                tap_groups, bodies) r
          WHERE r.form <> 0 OR r.has_other_ends;
      END IF;
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
  IF cardinality(expired_kinds) > 0 THEN
    INSERT INTO iwarpscope.dropped AS d (sensor, run, kind, count)
      SELECT me, coalesce(p.run, '00000000-0000-0000-0000-000000000000'), e.kind, sum(e.count)
        FROM unnest(expired_kinds, expired_counts) AS e(kind, count)
          LEFT JOIN unnest(expected_kinds, expected_runs) AS p(kind, run) ON p.kind = e.kind
        WHERE e.count > 0 GROUP BY p.run, e.kind
      ON CONFLICT (sensor, run, kind) DO UPDATE SET count = d.count + excluded.count, last = now();
  END IF;

  -- Says that something is new. A transaction with a notification holds a lock of the whole cluster until the standby has its commit:
  -- the others would wait for each other. So one of those that commit at the same time notifies. A listener looks at the
  -- cursors of all sensors when it is notified, and once a second, as the last of them may have been silent. Who fills the queue
  -- of notifications stops no delivery.
  IF size > 0 AND pg_notification_queue_usage() < 0.1 AND pg_try_advisory_xact_lock(1767330659, 1) THEN
    PERFORM pg_notify('iwarpscope', me::text);
  END IF;
END $$;

DO $$
DECLARE
  function regprocedure;
BEGIN
  FOR function IN SELECT oid FROM pg_proc WHERE pronamespace = 'iwarpscope'::regnamespace
                    AND proname IN ('as_address', 'is_plain', 'as_body', 'as_sent', 'as_port', 'as_count', 'as_time', 'as_day', 'calling_sensor', 'cursor_v1', 'is_at_cursor', 'numbers_of_runs', 'batch',
                                    'deliver_v1') LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', function);
    EXECUTE format('ALTER FUNCTION %s OWNER TO iwarpscope_door', function);
    IF function::text ~ '_v1\(' THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO iwarpscope_sensor', function);
    END IF;
  END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION iwarpscope.as_count(jsonb) TO iwarpscope_owner;
