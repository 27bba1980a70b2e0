#!/bin/bash
# Starts this database (SELF) as the primary if PRIMARY names it, otherwise as a standby of that one. A former primary does
# not start: two primaries would each continue the ledger. docs/deployment.md, "Failover", has the steps.
set -euo pipefail
if [ "$SELF" = "$PRIMARY" ]; then
  # Creates the database at the first start. One that is a standby stays a standby until `pg_ctl promote`.
  exec docker-entrypoint.sh postgres "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  PGPASSWORD=$(cat /run/secrets/postgres_password)
  export PGPASSWORD
  psql --dbname "host=$PRIMARY user=replicator dbname=perpetua" --set=ON_ERROR_STOP=1 --set=slot="$SELF" <<'SQL'
SELECT pg_create_physical_replication_slot(:'slot')
WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = :'slot');
SQL
  rm -rf "$PGDATA.new"
  pg_basebackup --dbname "host=$PRIMARY user=replicator application_name=$SELF" --pgdata "$PGDATA.new" \
    --checkpoint fast --wal-method stream --slot "$SELF" --write-recovery-conf
  rm -rf "$PGDATA"
  mkdir -p "$(dirname "$PGDATA")"
  mv "$PGDATA.new" "$PGDATA"
elif [ ! -e "$PGDATA/standby.signal" ]; then
  echo "$SELF has the data of a former primary, but PRIMARY is $PRIMARY. Move its data away (docs/deployment.md, Failover)." >&2
  exit 1
fi
exec postgres "$@"
