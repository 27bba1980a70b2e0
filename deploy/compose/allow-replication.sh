#!/bin/bash
# Runs once, when the primary is created: a role and a slot for the standby.
set -euo pipefail
password=$(cat /run/secrets/postgres_password)
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=password="$password" <<'SQL'
CREATE ROLE replicator WITH REPLICATION LOGIN PASSWORD :'password';
SELECT pg_create_physical_replication_slot('standby');
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
