-- A database that shows the sensors of several centres as those of one. Run it as a superuser in an own database, after
-- `iwarpscope-centre migrate` there, once. No sensor delivers to it. Then, for each cluster that iwarpscope-cluster.sql prepared:
--   CREATE SERVER cluster_1 FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'db1.example.net', dbname 'iwarpscope',
--     fetch_size '1000', sslmode 'verify-full', sslrootcert '/etc/postgresql/ca.pem');
--   CREATE USER MAPPING FOR PUBLIC SERVER cluster_1 OPTIONS (user 'iwarpscope-site', password_required 'false',
--     sslcert '/etc/postgresql/site.pem', sslkey '/etc/postgresql/site.key');
--   SELECT iwarpscope.add_cluster('cluster_1', 1);
\set ON_ERROR_STOP on
BEGIN;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
DO $$
BEGIN
  IF EXISTS (SELECT FROM iwarpscope.sensor WHERE number > 0) THEN
    RAISE EXCEPTION 'Sensors deliver to this database: take another one.';
  END IF;
END $$;
SET LOCAL ROLE iwarpscope_owner;
SET LOCAL search_path = iwarpscope;

-- Tables of sensors become partitioned by groups of sensors. What the centre itself finds, as sensor and run 0, stays here.
DO $$
DECLARE
  its text;
  number text;
BEGIN
  FOREACH its IN ARRAY ARRAY['cursor', 'dropped', 'qp', 'state', 'record', 'run', 'sensor'] LOOP
    number := CASE its WHEN 'sensor' THEN 'number' ELSE 'sensor' END;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL EXCLUDING IDENTITY)', its || '_here', its);
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', its || '_here', its);
    EXECUTE format('DROP TABLE %I CASCADE', its);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING COMPRESSION) PARTITION BY RANGE (%I)', its, its || '_here', number);
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (1)', its, its || '_here');
    EXECUTE format('GRANT SELECT ON %I TO iwarpscope_reader, iwarpscope_keeper', its);
  END LOOP;
END $$;
-- The last of 16 numbers of arrival.
SELECT setval('iwarpscope.arrival', 15, false) \g /dev/null
ALTER SEQUENCE arrival INCREMENT 16;

CREATE TABLE cluster (
  number integer PRIMARY KEY CHECK (number BETWEEN 0 AND 8),
  server name NOT NULL UNIQUE);

-- What the centre writes is in the tables that are here.
DO $$
DECLARE
  its regproc;
BEGIN
  FOREACH its IN ARRAY ARRAY['find_v1', 'forget_places']::regproc[] LOOP
    EXECUTE regexp_replace(pg_get_functiondef(its), '(UPDATE|INSERT INTO) iwarpscope[.](sensor|run|cursor|record)\M', '\1 iwarpscope.\2_here', 'g');
  END LOOP;
END $$;

-- As in one cluster, over all: `running` is read after no source can draw a number up to `last` any more.
CREATE OR REPLACE FUNCTION deliveries() RETURNS TABLE (last bigint, running text[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its integer;
  reached bigint;
  there text[];
BEGIN
  SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO last FROM iwarpscope.arrival s;
  FOR its IN SELECT c.number FROM iwarpscope.cluster c LOOP
    EXECUTE format('SELECT d.last FROM iwarpscope.delivering_%s d', its) INTO reached;
    last := greatest(last, reached);
  END LOOP;
  FOR i IN 1..100000 LOOP
    SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO reached FROM iwarpscope.arrival s;
    EXIT WHEN reached >= last OR nextval('iwarpscope.arrival') >= last;
  END LOOP;
  SELECT least(last, s.last_value) INTO last FROM iwarpscope.arrival s;
  FOR its IN SELECT c.number FROM iwarpscope.cluster c LOOP
    EXECUTE format('SELECT d.last FROM iwarpscope.delivering_%s d', its) INTO reached;
    IF reached < last THEN
      EXECUTE format('INSERT INTO iwarpscope.arrival_wanted_%s VALUES ($1)', its) USING last;
      EXECUTE format('SELECT d.last FROM iwarpscope.delivering_%s d', its) INTO reached;
      last := least(last, reached);
    END IF;
  END LOOP;
  SELECT coalesce(array_agg(l.virtualtransaction), '{}') INTO running FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND l.classid = 1767330659 AND l.objid = 2 AND l.objsubid = 2;
  FOR its IN SELECT c.number FROM iwarpscope.cluster c LOOP
    EXECUTE format('SELECT ARRAY(SELECT %L || r FROM unnest(d.running) r) FROM iwarpscope.delivering_%s d', its || ':', its) INTO there;
    running := running || there;
  END LOOP;
  RETURN NEXT;
END $$;

CREATE OR REPLACE FUNCTION end_stuck_deliveries() RETURNS SETOF name
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its integer;
BEGIN
  FOR its IN SELECT c.number FROM iwarpscope.cluster c LOOP
    RETURN QUERY EXECUTE format('SELECT s.role FROM iwarpscope.stuck_%s s', its);
  END LOOP;
END $$;

-- Records of sensors are kept up in their clusters.
CREATE OR REPLACE FUNCTION upkeep_step(today date) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
  removed bigint;
BEGIN
  today := iwarpscope.upkeep_day(today);
  DELETE FROM iwarpscope.centre_finding WHERE day < today - (SELECT days FROM iwarpscope.retention);
  DELETE FROM iwarpscope.record_here WHERE day < today - (SELECT days FROM iwarpscope.retention);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN CASE WHEN removed > 0 THEN format('Deleted %s findings of the centre.', removed) END;
END $$;
RESET ROLE;

-- Adds the sensors of a cluster, which is a server of postgres_fdw.
CREATE FUNCTION iwarpscope.add_cluster(its_server name, its_number integer) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  its text;
  other integer;
  there integer;
  reached bigint;
  furthest bigint := 0;
BEGIN
  IF its_number IS NULL OR its_number NOT BETWEEN 0 AND 8 THEN
    RAISE EXCEPTION 'The number of a cluster is 0 to 8.' USING ERRCODE = 'IWS04';
  END IF;
  PERFORM FROM iwarpscope.cluster WHERE number = its_number OR server = its_server;
  IF FOUND THEN RAISE EXCEPTION 'The cluster % or the server % was added already.', its_number, quote_ident(its_server) USING ERRCODE = 'IWS04'; END IF;
  EXECUTE format('GRANT USAGE ON FOREIGN SERVER %I TO iwarpscope_owner', its_server);
  SET LOCAL ROLE iwarpscope_owner;
  INSERT INTO iwarpscope.cluster VALUES (its_number, its_server);
  -- With another number its sensors would be looked for where they are not, and numbers of arrival would be those of another cluster.
  EXECUTE format('CREATE FOREIGN TABLE iwarpscope.number_%s (number integer) SERVER %I OPTIONS (schema_name ''iwarpscope'', table_name ''site_number'')',
                 its_number, its_server);
  EXECUTE format('SELECT s.number FROM iwarpscope.number_%s s', its_number) INTO there;
  IF there IS DISTINCT FROM its_number THEN
    RAISE EXCEPTION 'The database of % has the number % of iwarpscope-cluster.sql, not %.', quote_ident(its_server), there, its_number USING ERRCODE = 'IWS04';
  END IF;
  FOREACH its IN ARRAY ARRAY['sensor', 'run', 'record', 'state', 'qp', 'cursor', 'dropped'] LOOP
    EXECUTE format('CREATE FOREIGN TABLE iwarpscope.%I PARTITION OF iwarpscope.%I FOR VALUES FROM (%s) TO (%s) SERVER %I '
                   'OPTIONS (schema_name ''iwarpscope'', table_name %L)', its || '_' || its_number, its,
                   greatest(its_number * 10000000, 1), (its_number + 1) * 10000000, its_server, 'site_' || its);
  END LOOP;
  EXECUTE format('CREATE FOREIGN TABLE iwarpscope.delivering_%s (last bigint, running text[]) SERVER %I OPTIONS (schema_name ''iwarpscope'', '
                 'table_name ''delivering'')', its_number, its_server);
  EXECUTE format('CREATE FOREIGN TABLE iwarpscope.stuck_%s (role name) SERVER %I OPTIONS (schema_name ''iwarpscope'', table_name ''stuck'')',
                 its_number, its_server);
  EXECUTE format('CREATE FOREIGN TABLE iwarpscope.arrival_wanted_%s (upto bigint) SERVER %I OPTIONS (schema_name ''iwarpscope'', '
                 'table_name ''arrival_wanted'')', its_number, its_server);
  -- A cluster may have been there for long: numbers of the others reach its last one before the service asks.
  FOR other IN SELECT c.number FROM iwarpscope.cluster c LOOP
    EXECUTE format('SELECT d.last FROM iwarpscope.delivering_%s d', other) INTO reached;
    furthest := greatest(furthest, reached);
  END LOOP;
  LOOP
    SELECT d.last INTO reached FROM iwarpscope.deliveries() d;
    EXIT WHEN reached >= furthest;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION iwarpscope.add_cluster(name, integer) FROM PUBLIC;
COMMIT;
