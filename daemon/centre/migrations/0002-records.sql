-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- What sensors deliver. Kinds: 1 finding, 2 queue pair that ended, 3 operation, 4 state of an open queue pair, 5 heartbeat.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

-- A run of a sensor's daemon. Records have its number: a UUID in each row and index takes a third more.
CREATE TABLE run (
  number integer PRIMARY KEY, -- run_number; a queue pair's number at the centre has ten digits behind it
  sensor integer NOT NULL REFERENCES sensor,
  uuid uuid NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT now(),
  UNIQUE (sensor, uuid));
-- The last number of a run. No sequence: what a delivery draws that fails is not gone.
CREATE TABLE run_number (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  last integer NOT NULL DEFAULT 0 CHECK (last <= most),
  most integer NOT NULL DEFAULT 922337202);
INSERT INTO run_number DEFAULT VALUES;

-- All kinds but states. The primary key refuses a record that is here already. `day` is that of `stored`, which the sensor
-- wrote when it kept the record: it is the same each time that the record is delivered.
CREATE TABLE record (
  id bigint NOT NULL,
  qp bigint,
  sequence bigint,
  arrived timestamptz NOT NULL DEFAULT now(), -- by the clock of this server
  stored timestamptz NOT NULL, -- by the clock of the sensor
  at timestamptz NOT NULL, -- by the clock of the capture
  day date NOT NULL,
  sensor integer NOT NULL,
  run integer NOT NULL,
  kind smallint NOT NULL,
  severity smallint NOT NULL, -- 1 note, 2 warning, 3 error, 0 not a finding
  form smallint NOT NULL, -- of body. 0: as sent, 1: U+FFFD in place of U+0000, 2: {"record":"unreadable","error":...,"text":...}
  key text NOT NULL, -- finding: id of the rule; queue pair and operation: outcome; state: its name
  a inet,
  b inet,
  community_id text,
  interface text,
  tap_group text,
  body jsonb COMPRESSION lz4 NOT NULL, -- as in docs/json-report.md
  PRIMARY KEY (day, sensor, run, kind, id)) PARTITION BY RANGE (day);
CREATE INDEX record_kind_at ON record (kind, at);
CREATE INDEX record_a_at ON record (a, at);
CREATE INDEX record_b_at ON record (b, at);
CREATE INDEX record_rule_at ON record (key, at) WHERE kind = 1;
CREATE INDEX record_finding_qp ON record (run, qp) WHERE kind = 1;

CREATE TABLE state (LIKE record INCLUDING DEFAULTS INCLUDING COMPRESSION, PRIMARY KEY (day, sensor, run, kind, id)) PARTITION BY RANGE (day);

-- Numbers of records in the order in which they arrived from all sensors. They have holes.
CREATE SEQUENCE arrival;
GRANT USAGE ON SEQUENCE arrival TO iwarpscope_door;
GRANT SELECT ON SEQUENCE arrival TO iwarpscope_reader, iwarpscope_keeper;
ALTER TABLE record ADD COLUMN arrival bigint NOT NULL DEFAULT nextval('iwarpscope.arrival');
CREATE INDEX record_kind_arrival ON record (kind, arrival);
CREATE INDEX record_error_arrival ON record (arrival) WHERE kind = 1 AND severity >= 3; -- few of all

-- Days without a partition of their own: a sensor whose clock is wrong loses nothing.
CREATE TABLE record_other PARTITION OF record DEFAULT;
CREATE TABLE state_other PARTITION OF state DEFAULT;

-- The last that is known of each queue pair. Its record is in `record` (kind 2) or `state` (kind 4), by day, sensor, run, kind
-- and id. kind 1: only findings are here so far.
CREATE TABLE qp (
  qp bigint NOT NULL,
  id bigint NOT NULL,
  arrived timestamptz NOT NULL DEFAULT now(),
  stored timestamptz NOT NULL,
  at timestamptz NOT NULL,
  day date NOT NULL,
  sensor integer NOT NULL,
  run integer NOT NULL,
  a_port integer,
  b_port integer,
  kind smallint NOT NULL,
  severity smallint NOT NULL, -- the worst of its findings
  a inet,
  b inet,
  state text,
  outcome text,
  ulp text,
  transport text,
  community_id text,
  interface text,
  tap_group text,
  body jsonb COMPRESSION lz4, -- only after the day of its record was dropped
  errors bigint NOT NULL DEFAULT 0, -- findings
  warnings bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0,
  payload_octets bigint NOT NULL DEFAULT 0, -- of the upper layer, both directions
  PRIMARY KEY (sensor, run, qp)) WITH (fillfactor = 85);
CREATE UNIQUE INDEX qp_number ON qp (run, qp); -- the order of lists
CREATE INDEX qp_trouble ON qp (run, qp) WHERE severity >= 2 OR outcome IN ('refused', 'failed', 'stalled'); -- few of all
CREATE INDEX qp_a ON qp (a);
CREATE INDEX qp_b ON qp (b);
CREATE INDEX qp_community_id ON qp (community_id);

-- How far each history of a sensor was delivered.
CREATE TABLE cursor (
  sensor integer NOT NULL REFERENCES sensor,
  uuid uuid NOT NULL,
  kind smallint NOT NULL,
  run uuid NOT NULL,
  id bigint NOT NULL,
  moved timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sensor, uuid, kind)) WITH (fillfactor = 50);

-- Records that a sensor discarded before they were delivered. `run` is that of the last record delivered before them.
CREATE TABLE dropped (
  sensor integer NOT NULL REFERENCES sensor,
  run uuid NOT NULL,
  kind smallint NOT NULL,
  count bigint NOT NULL,
  first timestamptz NOT NULL DEFAULT now(),
  last timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sensor, run, kind));

DO $$
DECLARE
  kept text;
BEGIN
  FOREACH kept IN ARRAY ARRAY['run', 'record', 'state', 'qp', 'cursor', 'dropped'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', kept);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', kept);
    EXECUTE format('CREATE POLICY owner ON %I TO iwarpscope_owner USING (true) WITH CHECK (true)', kept);
    EXECUTE format('CREATE POLICY reader ON %I FOR SELECT TO iwarpscope_reader USING (true)', kept);
    EXECUTE format('CREATE POLICY door ON %I TO iwarpscope_door '
                   'USING (sensor = (SELECT s.number FROM sensor s WHERE s.role = session_user)) '
                   'WITH CHECK (sensor = (SELECT s.number FROM sensor s WHERE s.role = session_user))', kept);
    EXECUTE format('GRANT SELECT ON %I TO iwarpscope_reader', kept);
  END LOOP;
END $$;
GRANT INSERT ON run, record, state, qp, cursor, dropped TO iwarpscope_door;
GRANT SELECT ON run, run_number, qp, cursor, dropped TO iwarpscope_door;
GRANT UPDATE (last) ON run_number TO iwarpscope_door;
GRANT UPDATE ON qp, cursor, dropped TO iwarpscope_door;
GRANT DELETE ON cursor TO iwarpscope_door;
RESET ROLE;
