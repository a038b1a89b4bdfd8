-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- What is passed to Alertmanager: incidents, one for each connection that went wrong, however many sensors saw it.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

-- Up to which number of arrival records were passed on. NULL: no service passed any on yet.
CREATE TABLE alerted (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  arrival bigint);
INSERT INTO alerted DEFAULT VALUES;
GRANT SELECT, UPDATE ON alerted TO iwarpscope_keeper;
GRANT SELECT ON alerted TO iwarpscope_reader;

-- Queue pairs that went wrong, and what makes people look: few of all.
CREATE INDEX record_incident ON record (arrival)
  WHERE (kind = 2 AND key IN ('refused', 'failed', 'stalled')) OR (kind = 1 AND severity >= 3) OR (kind = 1 AND run = 0);

-- Incidents behind `done` and up to `last`, of at most so many records. `upto`: up to where these are, on each row.
-- A queue pair's outcome says more than a finding, and a joined connection more than one view.
CREATE FUNCTION incidents(done bigint, last bigint, most integer) RETURNS TABLE (
  upto bigint, incident text, a text, b text, is_error boolean, records bigint, sensors text[], first timestamptz, text text, joined text[])
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  WITH taken AS MATERIALIZED (
    SELECT r.arrival, r.kind, r.severity, r.key, r.run, r.qp, r.sensor, r.a, r.b, r.community_id, r.arrived, r.body FROM iwarpscope.record r
      WHERE ((r.kind = 2 AND r.key IN ('refused', 'failed', 'stalled')) OR (r.kind = 1 AND r.severity >= 3) OR (r.kind = 1 AND r.run = 0))
        AND r.arrival > done AND r.arrival <= last
      ORDER BY r.arrival LIMIT most),
  named AS (
    SELECT t.*, coalesce(t.community_id, CASE WHEN t.run = 0 THEN t.key || ' ' ELSE '' END ||
                         coalesce(host(least(t.a, t.b)) || ' ' || host(greatest(t.a, t.b)), 'site')) AS incident FROM taken t),
  worst AS (
    SELECT DISTINCT ON (n.incident) n.* FROM named n ORDER BY n.incident, n.kind DESC, n.severity DESC, n.arrival)
  SELECT (SELECT max(t.arrival) FROM taken t), w.incident, coalesce(host(least(w.a, w.b)), ''), coalesce(host(greatest(w.a, w.b)), ''),
         w.kind = 2 OR w.severity >= 3, i.records, i.sensors, i.first, left(coalesce(w.body #>> '{verdict,text}', w.body ->> 'text', w.key), 1000),
         (SELECT c.sentences FROM iwarpscope.connection_view v JOIN iwarpscope.connection c ON c.number = v.connection
            WHERE v.run = w.run AND v.qp = w.qp)
    FROM worst w JOIN (
      SELECT n.incident, count(*) AS records, array_agg(DISTINCT s.role::text ORDER BY s.role::text) AS sensors, min(n.arrived) AS first
        FROM named n JOIN iwarpscope.sensor s ON s.number = n.sensor GROUP BY 1) i USING (incident)
$$;
REVOKE ALL ON FUNCTION incidents(bigint, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION incidents(bigint, bigint, integer) TO iwarpscope_keeper;
RESET ROLE;
