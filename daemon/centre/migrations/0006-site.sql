-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- The site in numbers: by hour, what each sensor saw of each pair of hosts. Kept longer than records, and small.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

-- Queue pairs that ended, by the hour in which the sensor stored them; not in the future, whatever its clock says.
CREATE TABLE pair_hour (
  hour timestamptz NOT NULL,
  sensor integer NOT NULL,
  a inet NOT NULL, -- the lower address
  b inet NOT NULL,
  qps bigint NOT NULL,
  failed bigint NOT NULL, -- refused, failed or stalled
  payload_octets bigint NOT NULL,
  PRIMARY KEY (hour, a, b, sensor));
-- How many of these queue pairs are further views of a connection that is counted already. The joiner writes it (0007).
CREATE TABLE pair_again (
  sensor integer NOT NULL, -- 0: of all queue pairs of the site; otherwise of those of this sensor, which has several tap groups
  hour timestamptz NOT NULL,
  a inet NOT NULL,
  b inet NOT NULL,
  qps bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (sensor, hour, a, b));
-- The sums of these rows count each connection once: those of sensor 0 for the site, the others for one sensor.
CREATE VIEW pair_counted AS
  SELECT p.sensor, p.hour, p.a, p.b, p.qps, p.failed FROM pair_hour p
  UNION ALL SELECT 0, p.hour, p.a, p.b, p.qps, p.failed FROM pair_hour p
  UNION ALL SELECT g.sensor, g.hour, g.a, g.b, -g.qps, -g.failed FROM pair_again g;
-- Findings, by hour as queue pairs. Of no queue pair: both addresses are NULL.
CREATE TABLE rule_hour (
  hour timestamptz NOT NULL,
  sensor integer NOT NULL,
  rule text NOT NULL,
  a inet,
  b inet,
  severity smallint NOT NULL,
  count bigint NOT NULL);
CREATE UNIQUE INDEX rule_hour_row ON rule_hour (hour, rule, sensor, (coalesce(a, '0.0.0.0/0')), (coalesce(b, '0.0.0.0/0')));
CREATE INDEX rule_hour_rule ON rule_hour (rule, hour);
-- Pairs that failed: few of all.
CREATE INDEX pair_hour_failed ON pair_hour (hour) WHERE failed <> 0;
CREATE INDEX pair_hour_pair ON pair_hour (a, b, hour);
CREATE INDEX pair_again_pair ON pair_again (sensor, a, b, hour);
CREATE INDEX rule_hour_pair ON rule_hour (a, b, hour);

-- Up to which number of arrival records are in these tables.
CREATE TABLE summarised (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  arrival bigint NOT NULL DEFAULT 0);
INSERT INTO summarised DEFAULT VALUES;
ALTER TABLE retention ADD COLUMN summary_days integer NOT NULL DEFAULT 400 CHECK (summary_days BETWEEN 1 AND 36500);
GRANT UPDATE (summary_days) ON retention TO iwarpscope_keeper;
GRANT SELECT ON pair_hour, pair_again, pair_counted, rule_hour, summarised TO iwarpscope_reader, iwarpscope_keeper;

-- A sum that a sensor may have made as large as it likes.
CREATE FUNCTION bounded(sum numeric) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT least(sum, 9223372036854775807)::bigint
$$;

-- Adds records up to a number of arrival, `most` of these numbers at once. Gives the number up to which they are added, NULL if
-- another one is at it. The caller knows that everything up to `last` can be seen (deliveries()): each record is added once.
CREATE FUNCTION summarise_step(last bigint, most bigint) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  done bigint;
  upto bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(1767330659, 3) THEN RETURN NULL; END IF;
  SELECT arrival INTO done FROM iwarpscope.summarised;
  -- What arrived before this step has no number, and numbers may begin far behind the last one.
  SELECT least(last, greatest(done, coalesce(min(first), last) - 1) + most) INTO upto
    FROM (SELECT min(r.arrival) AS first FROM iwarpscope.record r WHERE r.kind = 1 AND r.arrival > done
          UNION ALL SELECT min(r.arrival) FROM iwarpscope.record r WHERE r.kind = 2 AND r.arrival > done) f;
  IF upto <= done THEN RETURN done; END IF;
  INSERT INTO iwarpscope.pair_hour AS p (hour, sensor, a, b, qps, failed, payload_octets)
    SELECT date_trunc('hour', least(r.stored, r.arrived), 'UTC'), r.sensor, least(r.a, r.b), greatest(r.a, r.b), count(*),
           count(*) FILTER (WHERE r.key IN ('refused', 'failed', 'stalled')), iwarpscope.bounded(sum(iwarpscope.as_count(r.body -> 'payload_octets')))
      FROM iwarpscope.record r WHERE r.kind = 2 AND r.arrival > done AND r.arrival <= upto AND r.a IS NOT NULL AND r.b IS NOT NULL
      GROUP BY 1, 2, 3, 4
    ON CONFLICT (hour, a, b, sensor) DO UPDATE SET
      qps = p.qps + excluded.qps, failed = p.failed + excluded.failed, payload_octets = iwarpscope.bounded(p.payload_octets::numeric + excluded.payload_octets);
  INSERT INTO iwarpscope.rule_hour AS p (hour, sensor, rule, a, b, severity, count)
    SELECT date_trunc('hour', least(r.stored, r.arrived), 'UTC'), r.sensor, r.key, least(r.a, r.b), greatest(r.a, r.b), max(r.severity), count(*)
      FROM iwarpscope.record r WHERE r.kind = 1 AND r.arrival > done AND r.arrival <= upto
      GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (hour, rule, sensor, (coalesce(a, '0.0.0.0/0')), (coalesce(b, '0.0.0.0/0'))) DO UPDATE SET
      severity = greatest(p.severity, excluded.severity), count = p.count + excluded.count;
  UPDATE iwarpscope.summarised SET arrival = upto;
  RETURN upto;
END $$;

-- Deletes what is older than it is kept for, in one short transaction. Gives a sentence, or NULL.
CREATE FUNCTION forget_summaries(today date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before timestamptz;
  pairs bigint;
  rules bigint;
BEGIN
  today := iwarpscope.upkeep_day(today);
  SELECT (today - r.summary_days)::timestamp AT TIME ZONE 'UTC' INTO before FROM iwarpscope.retention r;
  DELETE FROM iwarpscope.pair_hour WHERE hour < before;
  GET DIAGNOSTICS pairs = ROW_COUNT;
  DELETE FROM iwarpscope.pair_again WHERE hour < before;
  DELETE FROM iwarpscope.rule_hour WHERE hour < before;
  GET DIAGNOSTICS rules = ROW_COUNT;
  RETURN CASE WHEN pairs + rules > 0 THEN format('Deleted %s rows of summaries.', pairs + rules) END;
END $$;
REVOKE ALL ON FUNCTION summarise_step(bigint, bigint), bounded(numeric), forget_summaries(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION summarise_step(bigint, bigint), forget_summaries(date) TO iwarpscope_keeper;
RESET ROLE;
