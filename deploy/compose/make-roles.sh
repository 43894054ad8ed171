#!/bin/sh
# The first start of the database runs this with the passwords of the environment.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v owner_password="$OWNER_PASSWORD" -v service_password="$SERVICE_PASSWORD" \
  -f /deploy/roles.sql
