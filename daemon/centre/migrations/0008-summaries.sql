-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- Then against now: hours of pairs of hosts, kept for months, from the summaries (kind 6) that sensors deliver.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

CREATE INDEX record_summary ON record (sensor, run, id) WHERE kind = 6;

-- One row for each sensor and tap group that saw a pair: two taps of one connection do not count twice, as a reader takes
-- the one that saw most of the pair in this hour. Both directions of a pair are counted together.
CREATE TABLE summary (
  hour timestamptz NOT NULL, -- its begin, by the clock of the capture
  sensor integer NOT NULL,
  tap_group text NOT NULL,
  a inet NOT NULL,
  b inet NOT NULL,
  ulp text NOT NULL, -- '': unknown
  opcode text NOT NULL,
  size smallint NOT NULL, -- class, by powers of four
  messages bigint NOT NULL,
  octets bigint NOT NULL,
  failures bigint NOT NULL,
  latency_seconds double precision NOT NULL, -- of all together
  latency bigint[], -- counts; bucket n ends at 2^(9 + n) ns, n from 1 on
  PRIMARY KEY (hour, sensor, tap_group, a, b, ulp, opcode, size)) PARTITION BY RANGE (hour);
-- How much of an hour a sensor watched, and what it lost.
CREATE TABLE summary_hour (
  hour timestamptz NOT NULL,
  sensor integer NOT NULL,
  seconds integer NOT NULL,
  lost bigint NOT NULL, -- frames and messages; summaries for which there was no room count, too
  PRIMARY KEY (hour, sensor));
-- The last record of each run that is in these tables.
CREATE TABLE summary_place (
  sensor integer NOT NULL,
  run integer NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (sensor, run));
-- What the comparison knows of a series from hours that it has judged; and the last hour that was judged.
CREATE TABLE summary_learnt (
  series text PRIMARY KEY,
  hour timestamptz NOT NULL,
  state bigint[] NOT NULL) WITH (fillfactor = 60);
CREATE INDEX summary_learnt_hour ON summary_learnt (hour);
CREATE TABLE summary_judged (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  hour timestamptz,
  state bigint[] NOT NULL DEFAULT '{}');
INSERT INTO summary_judged DEFAULT VALUES;

GRANT SELECT ON summary, summary_hour, summary_place, summary_learnt, summary_judged TO iwarpscope_reader, iwarpscope_keeper;
GRANT INSERT, UPDATE, DELETE ON summary_learnt TO iwarpscope_keeper;
GRANT UPDATE ON summary_judged TO iwarpscope_keeper;

-- Numbers in a JSON body, if they are some: a sensor may be of another version, or hostile.
CREATE FUNCTION summary_count(value jsonb) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value #>> '{}' ~ '^[0-9]{1,15}$' THEN (value #>> '{}')::bigint ELSE 0 END
$$;
CREATE FUNCTION summary_real(value jsonb) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN value #>> '{}' ~ '^[0-9]{1,15}([.][0-9]{1,30})?(e[+-]?[0-9]{1,2})?$' THEN (value #>> '{}')::double precision ELSE 0 END
$$;
CREATE FUNCTION summary_counts(value jsonb) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN jsonb_typeof(value) = 'array' THEN
    (SELECT array_agg(iwarpscope.summary_count(e.count) ORDER BY e.n) FROM jsonb_array_elements(value) WITH ORDINALITY AS e(count, n) WHERE e.n <= 26) END
$$;
CREATE FUNCTION add_counts(x bigint[], y bigint[]) RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN x IS NULL THEN y WHEN y IS NULL THEN x ELSE
    (SELECT array_agg(iwarpscope.bounded(coalesce(u.x, 0)::numeric + coalesce(u.y, 0)) ORDER BY u.n) FROM unnest(x, y) WITH ORDINALITY AS u(x, y, n)) END
$$;
CREATE AGGREGATE sum_counts(bigint[]) (SFUNC = iwarpscope.add_counts, STYPE = bigint[]);

-- Months that the given hours need a partition for.
CREATE FUNCTION make_summary_months(hours timestamptz[]) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  month timestamp;
  made text;
BEGIN
  FOR month IN SELECT DISTINCT date_trunc('month', h AT TIME ZONE 'UTC') FROM unnest(hours) h LOOP
    made := 'summary_' || to_char(month, 'YYYYMM');
    IF to_regclass('iwarpscope.' || made) IS NULL THEN
      EXECUTE format('CREATE TABLE iwarpscope.%I PARTITION OF iwarpscope.summary FOR VALUES FROM (%L) TO (%L)', made,
                     month AT TIME ZONE 'UTC', (month + interval '1 month') AT TIME ZONE 'UTC');
    END IF;
  END LOOP;
END $$;

-- Takes at most so many records of one run into the tables, and gives their number; 0: nothing is left. Hours that a wrong
-- clock puts beyond the retention or into the future are passed over.
CREATE FUNCTION summarize_step(most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  its record;
  first timestamptz;
  last timestamptz := now() + interval '2 days';
  taken integer;
  through bigint;
BEGIN
  PERFORM pg_advisory_xact_lock(1767330659, 6);
  -- A clock that went ahead must not make hours old: see upkeep_day().
  SELECT least(now(), c.reached + interval '2 days') - make_interval(days => r.summary_days) INTO first FROM iwarpscope.retention r, iwarpscope.upkeep_clock c;
  SELECT r.sensor, r.number AS run, coalesce(p.id, 0) AS id INTO its
    FROM iwarpscope.run r LEFT JOIN iwarpscope.summary_place p ON p.sensor = r.sensor AND p.run = r.number
    WHERE EXISTS (SELECT FROM iwarpscope.record n
                    WHERE n.kind = 6 AND n.sensor = r.sensor AND n.run = r.number AND n.id > coalesce(p.id, 0))
    ORDER BY r.number LIMIT 1;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM iwarpscope.make_summary_months(array_agg(DISTINCT n.at)) FROM (
    SELECT r.at FROM iwarpscope.record r WHERE r.kind = 6 AND r.sensor = its.sensor AND r.run = its.run AND r.id > its.id
      ORDER BY r.id LIMIT most) n WHERE n.at BETWEEN first AND last;
  WITH batch AS MATERIALIZED (
    SELECT r.id, date_trunc('hour', r.at, 'UTC') AS hour, r.at BETWEEN first AND last AS is_in, r.a, r.b, coalesce(r.tap_group, '') AS tap_group, r.body
      FROM iwarpscope.record r WHERE r.kind = 6 AND r.sensor = its.sensor AND r.run = its.run AND r.id > its.id
      ORDER BY r.id LIMIT most),
    in_summary AS (
      INSERT INTO iwarpscope.summary AS s (hour, sensor, tap_group, a, b, ulp, opcode, size, messages, octets, failures, latency_seconds, latency)
        SELECT b.hour, its.sensor, left(b.tap_group, 200), b.a, b.b, left(coalesce(w.row ->> 'ulp', ''), 40), left(coalesce(w.row ->> 'opcode', ''), 40),
               least(iwarpscope.summary_count(w.row -> 'size_class'), 99), iwarpscope.bounded(sum(iwarpscope.summary_count(w.row -> 'messages'))),
               iwarpscope.bounded(sum(iwarpscope.summary_count(w.row -> 'payload_octets'))), iwarpscope.bounded(sum(iwarpscope.summary_count(w.row -> 'failures'))),
               sum(iwarpscope.summary_real(w.row #> '{latency,sum_seconds}')),
               iwarpscope.sum_counts(iwarpscope.summary_counts(w.row #> '{latency,counts}'))
          FROM batch b, LATERAL jsonb_array_elements(CASE jsonb_typeof(b.body -> 'rows') WHEN 'array' THEN b.body -> 'rows' ELSE '[]' END) AS w(row)
          WHERE b.is_in AND b.a IS NOT NULL AND b.b IS NOT NULL
          GROUP BY 1, 3, 4, 5, 6, 7, 8
        ON CONFLICT (hour, sensor, tap_group, a, b, ulp, opcode, size) DO UPDATE SET
          messages = iwarpscope.bounded(s.messages::numeric + excluded.messages), octets = iwarpscope.bounded(s.octets::numeric + excluded.octets), failures = iwarpscope.bounded(s.failures::numeric + excluded.failures),
          latency_seconds = s.latency_seconds + excluded.latency_seconds, latency = iwarpscope.add_counts(s.latency, excluded.latency)),
    in_hour AS (
      INSERT INTO iwarpscope.summary_hour AS h (hour, sensor, seconds, lost)
        SELECT b.hour, its.sensor, sum(least(CASE WHEN b.body -> 'complete' = 'true' THEN iwarpscope.summary_count(b.body -> 'seconds') ELSE 0 END, 3600)),
               iwarpscope.bounded(sum(iwarpscope.summary_count(b.body #> '{lost,nic}') + iwarpscope.summary_count(b.body #> '{lost,kernel}') +
                   iwarpscope.summary_count(b.body #> '{lost,queue}') + iwarpscope.summary_count(b.body #> '{lost,gap_octets}') +
                   iwarpscope.summary_count(b.body #> '{lost,gap_messages}') + iwarpscope.summary_count(b.body #> '{rows,0,messages}')))
          FROM batch b WHERE b.is_in AND b.a IS NULL GROUP BY 1
        ON CONFLICT (hour, sensor) DO UPDATE SET seconds = least(h.seconds::bigint + excluded.seconds, 360000), lost = iwarpscope.bounded(h.lost::numeric + excluded.lost))
    SELECT count(*), max(b.id) INTO taken, through FROM batch b;
  INSERT INTO iwarpscope.summary_place AS p (sensor, run, id) VALUES (its.sensor, its.run, through)
    ON CONFLICT (sensor, run) DO UPDATE SET id = excluded.id;
  RETURN taken;
END $$;

-- The view of each pair in each of these hours that saw most of it, by series. `known`: its sensor watched the whole hour and lost nothing.
CREATE FUNCTION summaries_at(hours timestamptz[]) RETURNS TABLE (
  a inet, b inet, ulp text, opcode text, size smallint, hour timestamptz, sensor integer, known boolean, messages bigint, octets bigint,
  failures bigint, latency_seconds double precision, latency bigint[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH views AS (
    SELECT s.hour, s.a, s.b, s.sensor, s.tap_group, sum(s.messages) AS messages FROM iwarpscope.summary s WHERE s.hour = ANY (hours) GROUP BY 1, 2, 3, 4, 5),
  best AS (
    SELECT DISTINCT ON (v.hour, v.a, v.b) v.* FROM views v ORDER BY v.hour, v.a, v.b, v.messages DESC, v.sensor, v.tap_group)
  SELECT s.a, s.b, s.ulp, s.opcode, s.size, s.hour, s.sensor, coalesce(h.seconds >= 3600 AND h.lost = 0, false), s.messages, s.octets, s.failures,
         s.latency_seconds, s.latency
    FROM iwarpscope.summary s JOIN best v ON (v.hour, v.sensor, v.tap_group, v.a, v.b) = (s.hour, s.sensor, s.tap_group, s.a, s.b)
      LEFT JOIN iwarpscope.summary_hour h ON h.hour = s.hour AND h.sensor = s.sensor
    WHERE s.hour = ANY (hours) ORDER BY 1, 2, 3, 4, 5, 6
$$;

-- As upkeep_step(), for these tables.
CREATE FUNCTION summary_upkeep_step(today date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  first date;
  old name;
BEGIN
  today := iwarpscope.upkeep_day(today);
  SELECT today - r.summary_days INTO first FROM iwarpscope.retention r;
  SELECT c.relname INTO old FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'iwarpscope.summary'::regclass AND to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= first
    ORDER BY 1 LIMIT 1;
  IF old IS NULL THEN RETURN NULL; END IF;
  EXECUTE format('DROP TABLE iwarpscope.%I', old);
  DELETE FROM iwarpscope.summary_hour WHERE hour < first::timestamp AT TIME ZONE 'UTC';
  DELETE FROM iwarpscope.summary_place p WHERE NOT EXISTS (SELECT FROM iwarpscope.run r WHERE r.number = p.run);
  RETURN format('Dropped the partition %s.', old);
END $$;
REVOKE ALL ON FUNCTION summary_count(jsonb), summary_real(jsonb), summary_counts(jsonb), add_counts(bigint[], bigint[]), sum_counts(bigint[]),
  make_summary_months(timestamptz[]), summarize_step(integer), summaries_at(timestamptz[]), summary_upkeep_step(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION summarize_step(integer), summary_upkeep_step(date) TO iwarpscope_keeper;
GRANT EXECUTE ON FUNCTION summaries_at(timestamptz[]) TO iwarpscope_keeper, iwarpscope_reader;
RESET ROLE;
