-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- Partitions are made before their day and dropped after their retention. Each call of upkeep_step() is one short transaction.
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

CREATE TABLE retention (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  days integer NOT NULL DEFAULT 90 CHECK (days BETWEEN 1 AND 36500), -- of records
  state_days integer NOT NULL DEFAULT 2 CHECK (state_days BETWEEN 1 AND 36500), -- of states, and of queue pairs that ended in qp
  ahead integer NOT NULL DEFAULT 7 CHECK (ahead BETWEEN 1 AND 60)); -- days whose partitions are made before
INSERT INTO retention DEFAULT VALUES;
GRANT SELECT ON retention TO iwarpscope_reader, iwarpscope_keeper;
GRANT UPDATE (days, state_days, ahead) ON retention TO iwarpscope_keeper;

-- What upkeep knows of the clock of the database, which a server may have wrong: when it was last right, and since when it is ahead.
CREATE TABLE upkeep_clock (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  reached timestamptz, -- by this time records are deleted; NULL: there was no upkeep yet
  latest timestamptz, -- the last upkeep, right or not
  ahead_since timestamptz); -- the first one after a jump; NULL: the clock is right
INSERT INTO upkeep_clock DEFAULT VALUES;
GRANT SELECT ON upkeep_clock TO iwarpscope_reader, iwarpscope_keeper;

-- The day by which upkeep makes and drops. A clock that goes ahead by more than two days, as it does after a pause of the upkeep, is believed
-- if most sensors that deliver have this time, too. Otherwise after a day in which no upkeep saw it elsewhere, unless most of them have a
-- time before that. Until then it is the day before the jump.
-- Only a superuser may name another day than today, for example a test.
CREATE FUNCTION upkeep_day(today date) RETURNS date LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  clock iwarpscope.upkeep_clock;
  is_right boolean;
  sensors bigint; -- that deliver
  same bigint; -- that have this time, too
  earlier bigint; -- that have a time before the jump
BEGIN
  IF today IS NULL OR today NOT BETWEEN '1970-01-01' AND '2262-04-11' THEN
    RAISE EXCEPTION 'No record can be of the day %: choose one of the years 1970 to 2261.', today USING ERRCODE = 'IWS05';
  END IF;
  IF today <> (now() AT TIME ZONE 'UTC')::date THEN
    IF (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = session_user) THEN RETURN today; END IF;
    RAISE EXCEPTION 'Only a superuser may name another day than today.' USING ERRCODE = 'IWS05';
  END IF;
  SELECT * INTO clock FROM iwarpscope.upkeep_clock FOR UPDATE;
  is_right := clock.reached IS NULL OR now() <= clock.reached + interval '2 days';
  IF NOT is_right THEN
    IF clock.ahead_since IS NULL OR now() NOT BETWEEN clock.latest AND clock.latest + interval '2 days' THEN clock.ahead_since := now(); END IF;
    SELECT count(*), count(*) FILTER (WHERE s.heartbeat_at BETWEEN now() - interval '1 day' AND now() + interval '1 day'),
           count(*) FILTER (WHERE s.heartbeat_at < clock.ahead_since - interval '1 day') INTO sensors, same, earlier
      FROM iwarpscope.sensor s WHERE s.delivered > now() - interval '1 day' AND s.heartbeat_at IS NOT NULL;
    is_right := same * 2 > sensors OR (now() >= clock.ahead_since + interval '1 day' AND earlier * 2 <= sensors);
  END IF;
  UPDATE iwarpscope.upkeep_clock SET latest = now(), reached = CASE WHEN is_right THEN now() ELSE clock.reached END,
    ahead_since = CASE WHEN is_right THEN NULL ELSE clock.ahead_since END;
  RETURN CASE WHEN is_right THEN today ELSE (clock.reached AT TIME ZONE 'UTC')::date END;
END $$;

-- A sentence while the clock is not believed, or NULL.
CREATE FUNCTION upkeep_waits() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  SELECT format('The clock of the database went ahead from %s to %s: nothing is deleted by it for a day.',
                to_char(c.reached AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'), to_char(c.ahead_since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI'))
    FROM iwarpscope.upkeep_clock c WHERE c.ahead_since IS NOT NULL
$$;

-- Days with a partition of their own.
CREATE FUNCTION partition_days(parent name) RETURNS SETOF date LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ('iwarpscope.' || quote_ident(parent))::regclass AND c.relname ~ '_[0-9]{8}$'
$$;

-- Makes the partition of a day, and moves the rows of that day there.
CREATE FUNCTION make_partition(parent name, its_day date) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  made text := format('%s_%s', parent, to_char(its_day, 'YYYYMMDD'));
  moved bigint;
BEGIN
  -- Attaching it needs this lock. Rows that arrive from here on wait, and find the partition.
  EXECUTE format('LOCK TABLE iwarpscope.%I IN ACCESS EXCLUSIVE MODE', parent || '_other');
  EXECUTE format('CREATE TABLE iwarpscope.%I (LIKE iwarpscope.%I INCLUDING DEFAULTS INCLUDING COMPRESSION, CHECK (day = %L))', made, parent, its_day);
  EXECUTE format('WITH m AS (DELETE FROM iwarpscope.%I WHERE day = %L RETURNING *) INSERT INTO iwarpscope.%I SELECT * FROM m',
                 parent || '_other', its_day, made);
  GET DIAGNOSTICS moved = ROW_COUNT;
  EXECUTE format('ALTER TABLE iwarpscope.%I ATTACH PARTITION iwarpscope.%I FOR VALUES FROM (%L) TO (%L)', parent, made, its_day, its_day + 1);
  RETURN CASE WHEN moved = 0 THEN format('Made the partition %s.', made) ELSE format('Made the partition %s and moved %s rows to it.', made, moved) END;
END $$;

-- A queue pair that is open for longer than states are kept keeps its last one. `leaving` is a condition on those that go.
CREATE FUNCTION keep_last_states(source name, leaving text) RETURNS void LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('UPDATE iwarpscope.qp q SET body = s.body FROM iwarpscope.%I s WHERE q.kind = 4 '
                 'AND (q.day, q.sensor, q.run, q.id) = (s.day, s.sensor, s.run, s.id) AND %s', source, leaving);
END $$;

CREATE FUNCTION drop_partition(parent name, its_day date) RETURNS text LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dropped text := format('%s_%s', parent, to_char(its_day, 'YYYYMMDD'));
BEGIN
  IF parent = 'state' THEN
    PERFORM iwarpscope.keep_last_states(dropped, 'true');
  ELSE
    DELETE FROM iwarpscope.qp WHERE kind = 2 AND day = its_day;
  END IF;
  EXECUTE format('DROP TABLE iwarpscope.%I', dropped);
  RETURN format('Dropped the partition %s.', dropped);
END $$;

-- Does one thing that is due and says what, or returns NULL. `today`: see upkeep_day().
CREATE FUNCTION upkeep_step(today date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  parent name;
  keep integer;
  kept iwarpscope.retention;
  its_day date;
  old text;
  removed bigint;
BEGIN
  LOCK TABLE iwarpscope.retention IN SHARE ROW EXCLUSIVE MODE; -- one at a time
  today := iwarpscope.upkeep_day(today);
  SELECT * INTO kept FROM iwarpscope.retention;
  FOREACH parent IN ARRAY ARRAY['record', 'state'] LOOP
    keep := CASE parent WHEN 'record' THEN kept.days ELSE kept.state_days END;
    SELECT min(d) INTO its_day FROM (
      SELECT d::date FROM generate_series((today - 1)::timestamp, (today + kept.ahead)::timestamp, '1 day') d
      EXCEPT SELECT iwarpscope.partition_days(parent)) AS missing(d);
    IF its_day IS NULL THEN
      -- A day whose rows arrived before it had a partition.
      EXECUTE format('SELECT min(day) FROM iwarpscope.%I WHERE day BETWEEN %L AND %L', parent || '_other', today - keep, today + kept.ahead) INTO its_day;
    END IF;
    IF its_day IS NOT NULL THEN RETURN iwarpscope.make_partition(parent, its_day); END IF;
    SELECT min(d) INTO its_day FROM iwarpscope.partition_days(parent) d WHERE d < today - keep;
    IF its_day IS NOT NULL THEN RETURN iwarpscope.drop_partition(parent, its_day); END IF;
    -- Days that get no partition are those of sensors whose clock is wrong: what counts is when their records arrived.
    old := format('arrived < %L', (today - keep)::timestamp AT TIME ZONE 'UTC');
    IF parent = 'state' THEN PERFORM iwarpscope.keep_last_states('state_other', 's.' || old); END IF;
    EXECUTE format('DELETE FROM iwarpscope.%I WHERE %s', parent || '_other', old);
    GET DIAGNOSTICS removed = ROW_COUNT;
    IF removed > 0 THEN RETURN format('Deleted %s rows of %s with wrong clocks.', removed, parent); END IF;
  END LOOP;
  DELETE FROM iwarpscope.centre_finding WHERE day < today - kept.days;
  DELETE FROM iwarpscope.qp
    WHERE arrived < (today - CASE kind WHEN 2 THEN kept.state_days ELSE kept.days END)::timestamp AT TIME ZONE 'UTC';
  GET DIAGNOSTICS removed = ROW_COUNT;
  IF removed > 0 THEN RETURN format('Deleted %s queue pairs that ended, or were not reported any more.', removed); END IF;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION partition_days(name), make_partition(name, date), drop_partition(name, date), keep_last_states(name, text), upkeep_step(date),
  upkeep_day(date), upkeep_waits() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION upkeep_step(date), upkeep_waits() TO iwarpscope_keeper;
RESET ROLE;
