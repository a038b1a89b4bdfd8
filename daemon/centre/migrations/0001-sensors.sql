-- SPDX-FileCopyrightText: The iwarpscope authors
-- SPDX-License-Identifier: GPL-2.0-or-later
-- Roles, and the sensors. Roles belong to the whole cluster: another database of it may have made them.
--   iwarpscope_owner   owns tables and upkeep       iwarpscope_reader  reads everything: the service
--   iwarpscope_door    owns what sensors may call   iwarpscope_keeper  runs the upkeep: the service, a timer
--   iwarpscope_sensor  what all sensors may do
DO $$
DECLARE
  role name;
BEGIN
  FOREACH role IN ARRAY ARRAY['iwarpscope_owner', 'iwarpscope_door', 'iwarpscope_sensor', 'iwarpscope_reader', 'iwarpscope_keeper'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I', role);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
    EXECUTE format('ALTER ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS', role);
  END LOOP;
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO iwarpscope_sensor, iwarpscope_reader, iwarpscope_keeper', current_database());
END $$;
REVOKE ALL ON SCHEMA public FROM PUBLIC;
-- A sensor could fill the disk with large objects, which nothing here uses.
REVOKE EXECUTE ON FUNCTION pg_catalog.lo_creat(integer), pg_catalog.lo_create(oid), pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;
-- And the write-ahead log, with messages of its own.
REVOKE EXECUTE ON FUNCTION pg_catalog.pg_logical_emit_message(boolean, text, text), pg_catalog.pg_logical_emit_message(boolean, text, bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_logical_emit_message(boolean, text, text) TO iwarpscope_reader;
-- With DO it could run loops that go on after they were cancelled.
REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC;
GRANT USAGE ON LANGUAGE plpgsql TO iwarpscope_owner;

-- Locks by number order what the centre does. A sensor that could hold one would stop it.
DO $$
DECLARE
  function regprocedure;
BEGIN
  FOR function IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '^pg_(try_)?advisory_' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', function);
  END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_advisory_xact_lock_shared(integer, integer), pg_catalog.pg_try_advisory_xact_lock(integer, integer)
  TO iwarpscope_owner, iwarpscope_door;
GRANT EXECUTE ON FUNCTION pg_catalog.pg_advisory_xact_lock(integer, integer), pg_catalog.pg_try_advisory_xact_lock(integer, integer)
  TO iwarpscope_owner, iwarpscope_keeper;

-- To end what a sensor began and does not finish.
GRANT pg_signal_backend, pg_read_all_stats TO iwarpscope_owner;

CREATE SCHEMA iwarpscope AUTHORIZATION iwarpscope_owner;
GRANT USAGE ON SCHEMA iwarpscope TO iwarpscope_door, iwarpscope_sensor, iwarpscope_reader, iwarpscope_keeper;

SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

CREATE TABLE migration (
  number integer PRIMARY KEY,
  name text NOT NULL,
  md5 text NOT NULL, -- of the step as it was run
  program text NOT NULL,
  run timestamptz NOT NULL DEFAULT now());

CREATE TABLE sensor (
  number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  role name NOT NULL UNIQUE, -- the name in the sensor's client certificate
  site text NOT NULL DEFAULT '', -- sensors of one site, or one cluster
  position text NOT NULL DEFAULT '', -- where its tap is
  api text NOT NULL DEFAULT '', -- HOST:PORT of its API; empty: it is not asked
  uuid uuid, -- of the sensor's history that was delivered last
  added timestamptz NOT NULL DEFAULT now(),
  removed timestamptz,
  delivered timestamptz, -- the last time
  heartbeat_at timestamptz,
  heartbeat jsonb COMPRESSION lz4, -- the last one
  changed bigint NOT NULL DEFAULT 0); -- records that were stored in another form, see record.form

-- Row-level security holds for the owner, too. The door sees and writes what belongs to the role that logged in.
ALTER TABLE sensor ENABLE ROW LEVEL SECURITY;
ALTER TABLE sensor FORCE ROW LEVEL SECURITY;
CREATE POLICY owner ON sensor TO iwarpscope_owner USING (true) WITH CHECK (true);
CREATE POLICY reader ON sensor FOR SELECT TO iwarpscope_reader USING (true);
CREATE POLICY door_select ON sensor FOR SELECT TO iwarpscope_door USING (role = session_user);
CREATE POLICY door_update ON sensor FOR UPDATE TO iwarpscope_door USING (role = session_user) WITH CHECK (role = session_user);
GRANT SELECT ON migration, sensor TO iwarpscope_reader;
GRANT SELECT ON migration TO iwarpscope_keeper;
GRANT SELECT (number, role, removed, changed), UPDATE (uuid, delivered, heartbeat_at, heartbeat, changed) ON sensor TO iwarpscope_door;
RESET ROLE;

-- Makes a role for a sensor, or allows a removed one again. What is NULL stays as it was. Gives the sensor's number. The caller must
-- be allowed to make roles.
CREATE FUNCTION iwarpscope.add_sensor(sensor_name text, sensor_site text, sensor_position text, sensor_api text DEFAULT NULL) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its_number integer;
BEGIN
  IF octet_length(sensor_name) NOT BETWEEN 1 AND 63 OR sensor_name ~ '[[:cntrl:]]' THEN
    RAISE EXCEPTION 'The name of a sensor has 1 to 63 octets and no control characters.' USING ERRCODE = 'IWS04';
  END IF;
  IF sensor_name ~* '^(pg_|iwarpscope_)' OR sensor_name IN ('public', 'none') THEN
    RAISE EXCEPTION 'The name % is reserved.', quote_ident(sensor_name) USING ERRCODE = 'IWS04';
  END IF;
  PERFORM FROM iwarpscope.sensor WHERE role = sensor_name;
  IF NOT FOUND AND EXISTS (SELECT FROM pg_roles WHERE rolname = sensor_name)
     AND NOT EXISTS (SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid JOIN pg_roles r ON r.oid = m.member
                     WHERE g.rolname = 'iwarpscope_sensor' AND r.rolname = sensor_name) THEN
    RAISE EXCEPTION 'The role % exists, and is no sensor.', quote_ident(sensor_name) USING ERRCODE = 'IWS04';
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = sensor_name) THEN
    EXECUTE format('CREATE ROLE %I', sensor_name);
  END IF;
  EXECUTE format('ALTER ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT 8', sensor_name);
  -- A forwarder that hangs must not keep its row locked.
  EXECUTE format('ALTER ROLE %I SET idle_in_transaction_session_timeout = ''60s''', sensor_name);
  -- What it sorts, and its errors in the log of the server, must not fill the disk. Only a superuser may say so, or change it.
  IF (SELECT r.rolsuper FROM pg_roles r WHERE r.rolname = current_user) THEN
    EXECUTE format('ALTER ROLE %I SET temp_file_limit = ''256MB''', sensor_name);
    EXECUTE format('ALTER ROLE %I SET log_min_messages = fatal', sensor_name);
  END IF;
  EXECUTE format('GRANT iwarpscope_sensor TO %I', sensor_name);
  INSERT INTO iwarpscope.sensor AS s (role, site, position, api)
    VALUES (sensor_name, coalesce(sensor_site, ''), coalesce(sensor_position, ''), coalesce(sensor_api, ''))
    ON CONFLICT (role) DO UPDATE SET removed = NULL, site = coalesce(sensor_site, s.site), position = coalesce(sensor_position, s.position),
      api = coalesce(sensor_api, s.api)
    RETURNING s.number INTO its_number;
  RETURN its_number;
END $$;

-- The sensor can no longer log in, and its connections end. Its data stay.
CREATE FUNCTION iwarpscope.remove_sensor(sensor_name text) RETURNS integer
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its_number integer;
BEGIN
  UPDATE iwarpscope.sensor SET removed = coalesce(removed, now()) WHERE role = sensor_name RETURNING number INTO its_number;
  IF its_number IS NULL THEN
    RAISE EXCEPTION 'No sensor has the name %.', quote_ident(sensor_name) USING ERRCODE = 'IWS04';
  END IF;
  EXECUTE format('ALTER ROLE %I NOLOGIN', sensor_name);
  EXECUTE format('REVOKE iwarpscope_sensor FROM %I', sensor_name);
  RETURN its_number;
END $$;
REVOKE ALL ON FUNCTION iwarpscope.add_sensor(text, text, text, text), iwarpscope.remove_sensor(text) FROM PUBLIC;
