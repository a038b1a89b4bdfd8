-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- Connections that several sensors, or several tap groups of one, saw.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

CREATE TABLE connection (
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  last timestamptz NOT NULL, -- when the last of its views arrived at its sensor
  made timestamptz NOT NULL DEFAULT now(), -- when it was joined, by the clock of this server
  basis text NOT NULL,
  has_place boolean NOT NULL, -- octets were lost or damaged between two taps
  found text[] NOT NULL DEFAULT '{}', -- rules that the centre raised about it
  clock_bound_ns bigint, -- NULL: not known
  sentences text[] NOT NULL,
  body jsonb COMPRESSION lz4 NOT NULL); -- the record "joined"
CREATE INDEX connection_last ON connection (last);
CREATE INDEX connection_place ON connection (last) WHERE has_place;
-- A connection counts once in the sums by hour: its other views that ended are in pair_again. `again` and `again_here` say so, that this
-- can be taken back when it is joined again. Only views of the same two hosts count for each other, whatever a sensor says.
CREATE TABLE connection_view (
  run integer NOT NULL,
  qp bigint NOT NULL,
  sensor integer NOT NULL,
  connection bigint NOT NULL REFERENCES connection ON DELETE CASCADE,
  place integer NOT NULL, -- in the order of taps
  tap text NOT NULL, -- its name
  hour timestamptz, -- in which pair_hour counts it, between `a` and `b`; NULL: not at all, as it is open
  a inet,
  b inet,
  failed boolean NOT NULL, -- refused, failed or stalled
  again boolean NOT NULL, -- another view is the one that counts for the site
  again_here boolean NOT NULL, -- another view of this sensor is the one that counts for it
  PRIMARY KEY (run, qp));
CREATE INDEX connection_view_connection ON connection_view (connection);

-- Up to which number of arrival connections were joined, and how many queue pairs found no room among those of the same ends.
CREATE TABLE joined (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  arrival bigint NOT NULL DEFAULT 0,
  left_out bigint NOT NULL DEFAULT 0);
INSERT INTO joined DEFAULT VALUES;
GRANT SELECT ON connection, connection_view, joined TO iwarpscope_reader, iwarpscope_keeper;
GRANT SELECT ON sensor, run, record, state, qp TO iwarpscope_keeper;
GRANT INSERT, DELETE ON connection, connection_view TO iwarpscope_keeper;
GRANT INSERT, UPDATE ON pair_again TO iwarpscope_keeper;
GRANT UPDATE ON joined TO iwarpscope_keeper;

-- The keeper joins what all sensors delivered.
DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['sensor', 'run', 'record', 'state', 'qp'] LOOP
    EXECUTE format('CREATE POLICY keeper ON %I FOR SELECT TO iwarpscope_keeper USING (true)', kept);
  END LOOP;
END $$;

-- Deletes connections whose records are gone, so that none is joined again. Gives a sentence, or NULL. Sums by hour stay as they are.
CREATE FUNCTION forget_connections(today date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  before timestamptz;
  gone bigint;
BEGIN
  today := iwarpscope.upkeep_day(today);
  SELECT (today - greatest(r.days, r.state_days))::timestamp AT TIME ZONE 'UTC' INTO before FROM iwarpscope.retention r;
  DELETE FROM iwarpscope.connection WHERE last < before AND made < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN CASE WHEN gone > 0 THEN format('Deleted %s joined connections.', gone) END;
END $$;
REVOKE ALL ON FUNCTION forget_connections(date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION forget_connections(date) TO iwarpscope_keeper;
RESET ROLE;
