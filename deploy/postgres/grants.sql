-- After each migration, as the owner of the tables: what the login of the service may do. Saying it again changes nothing.
grant liquidity_app, liquidity_dispatch, liquidity_log to liquidity_service;
grant select on kysely_migration to liquidity_service;
-- The queue of jobs keeps a schema of its own.
do $$ begin execute format('grant create on database %I to liquidity_service', current_database()); end $$;
