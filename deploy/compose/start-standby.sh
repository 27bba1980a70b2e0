#!/bin/bash
# Copies the primary at the first start, and follows it from then on.
set -euo pipefail
data=/var/lib/postgresql/18/docker
PGPASSWORD=$(cat /run/secrets/postgres_password)
export PGPASSWORD
if [ ! -s "$data/PG_VERSION" ]; then
  rm -rf "$data.new"
  pg_basebackup --dbname 'host=primary user=replicator application_name=standby' --pgdata "$data.new" \
    --wal-method stream --slot standby --write-recovery-conf
  rm -rf "$data"
  mkdir -p "$(dirname "$data")"
  mv "$data.new" "$data"
  chmod 700 "$data"
fi
exec postgres -D "$data"
