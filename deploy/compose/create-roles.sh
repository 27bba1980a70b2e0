#!/bin/bash
# Runs once, when the first primary is created: the role of the service, which owns the database, and that of the standby.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set=ON_ERROR_STOP=1 \
  --set=service="$(cat /run/secrets/perpetua_password)" --set=replication="$(cat /run/secrets/postgres_password)" <<'SQL'
CREATE ROLE perpetua LOGIN PASSWORD :'service';
CREATE ROLE replicator REPLICATION LOGIN PASSWORD :'replication';
ALTER DATABASE perpetua OWNER TO perpetua;
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
