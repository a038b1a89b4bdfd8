-- Makes a centre one of several, whose sensors are asked together (iwarpscope-clusters.sql). Run it as a superuser in the
-- database of each cluster, after `iwarpscope-centre migrate`:
--   psql "$CLUSTER" -v number=1 -v reader=iwarpscope-site -f iwarpscope-cluster.sql
-- number: 0 to 8, another one for each. Only number 0 may have records already. reader: the role, which it makes, with
-- which the database of the site logs in. It gets the rights of iwarpscope_site, no others: pg_hba.conf needs a line for it.
\set ON_ERROR_STOP on
BEGIN;
SELECT set_config('iwarpscope.number', :'number', true), set_config('iwarpscope.reader', :'reader', true) \g /dev/null
SET LOCAL search_path = iwarpscope;

-- Sensors, runs and arrivals have numbers that no other cluster has.
DO $$
DECLARE
  its integer := current_setting('iwarpscope.number');
  reader text := current_setting('iwarpscope.reader');
BEGIN
  IF its NOT BETWEEN 0 AND 8 THEN RAISE EXCEPTION 'The number of a cluster is 0 to 8.'; END IF;
  IF its > 0 THEN
    IF EXISTS (SELECT FROM iwarpscope.sensor WHERE number > 0) THEN
      RAISE EXCEPTION 'This database has sensors already: only cluster 0 may.';
    END IF;
    EXECUTE format('ALTER TABLE sensor ALTER COLUMN number SET MINVALUE %1$s SET START %1$s SET MAXVALUE %2$s RESTART', its * 10000000,
                   its * 10000000 + 9999999);
  ELSE
    ALTER TABLE sensor ALTER COLUMN number SET MAXVALUE 9999999;
  END IF;
  UPDATE run_number SET last = greatest(last, its * 100000000 - 1), most = its * 100000000 + 99999999;
  -- Of 16 numbers of arrival each cluster has one; that of the site's database is the last.
  PERFORM setval('iwarpscope.arrival', ((SELECT last_value FROM arrival) / 16 + 1) * 16 + its, false);
  ALTER SEQUENCE arrival INCREMENT 16;
  IF EXISTS (SELECT FROM sensor WHERE role = reader) THEN RAISE EXCEPTION 'The role % is a sensor.', quote_ident(reader); END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = reader) THEN EXECUTE format('CREATE ROLE %I LOGIN', reader); END IF;
  BEGIN
    CREATE ROLE iwarpscope_site;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL; -- by another database of this server
  END;
  ALTER ROLE iwarpscope_site NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  EXECUTE format('GRANT CONNECT ON DATABASE %I TO iwarpscope_site', current_database());
  EXECUTE format('GRANT iwarpscope_site TO %I', reader);
END $$;
GRANT USAGE ON SCHEMA iwarpscope TO iwarpscope_site;

-- For the site's database: what sensors delivered; sensor and run 0 are those of this centre.
DO $$
DECLARE
  its text;
BEGIN
  FOREACH its IN ARRAY ARRAY['sensor', 'run', 'record', 'state', 'qp', 'cursor', 'dropped'] LOOP
    EXECUTE format('CREATE VIEW %I AS SELECT * FROM %I WHERE %I > 0', 'site_' || its, its, CASE its WHEN 'sensor' THEN 'number' ELSE 'sensor' END);
    EXECUTE format('GRANT SELECT ON %I TO iwarpscope_site', 'site_' || its);
  END LOOP;
END $$;

-- The number given above; the site compares it with the one that add_cluster() got.
CREATE VIEW site_number AS SELECT n.most / 100000000 AS number FROM run_number n;
GRANT SELECT ON site_number TO iwarpscope_site;

-- Likewise: what deliveries() says, connections that it should end, and a wish for higher numbers.
CREATE VIEW delivering AS SELECT d.last, d.running FROM iwarpscope.deliveries() d;
CREATE VIEW stuck AS SELECT s AS role FROM iwarpscope.end_stuck_deliveries() s;
CREATE TABLE arrival_wanted (upto bigint NOT NULL);

-- Draws numbers until they are behind the one that another cluster has reached: so a number says which record came first, in all
-- of them. No more than so many at once; nothing is stored.
CREATE FUNCTION reach_arrival() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  FOR i IN 1..100000 LOOP
    EXIT WHEN nextval('iwarpscope.arrival') >= NEW.upto;
  END LOOP;
  RETURN NULL;
END $$;
REVOKE ALL ON FUNCTION reach_arrival() FROM PUBLIC;
CREATE TRIGGER reach BEFORE INSERT ON arrival_wanted FOR EACH ROW EXECUTE FUNCTION iwarpscope.reach_arrival();
GRANT SELECT ON delivering, stuck TO iwarpscope_site;
GRANT EXECUTE ON FUNCTION deliveries(), end_stuck_deliveries() TO iwarpscope_site;
GRANT SELECT ON SEQUENCE arrival TO iwarpscope_site;
GRANT INSERT ON arrival_wanted TO iwarpscope_site;
COMMIT;
