-- The foundation: identity, the append-only store, queues.
--
-- - `organization_id` leads every key of a tenant table; no sequences, triggers, or foreign keys across tenants.
-- - The service's roles have neither UPDATE nor DELETE on records, events and artifacts.
-- - Every tenant table has one policy: one comparison with the organization set for the transaction.
-- - Times are milliseconds since 1970, given by the service: clocks are arguments.
-- - A record needs two indexes (its own key and the head's), an event one: ids sort by creation, so pages
--   of a collection are ranges of the head's key.

create table organizations (
  id text collate "C" primary key, name text not null, created_at bigint not null
);
create table users (
  id text collate "C" primary key, email text collate "C" not null unique, created_at bigint not null
);
create table sessions (
  token_hash text collate "C" primary key, user_id text collate "C" not null, created_at bigint not null,
  authenticated_at bigint not null, expires_at bigint not null, revoked_at bigint
);
create table sign_in_links (
  token_hash text collate "C" primary key, email text collate "C" not null, browser_hash text collate "C" not null,
  session_hash text collate "C", created_at bigint not null, expires_at bigint not null,
  used_at bigint
);
create table rate_windows (
  bucket text collate "C" not null, window_start bigint not null, used integer not null,
  primary key (bucket, window_start)
);

create table memberships (
  organization_id text collate "C" not null, user_id text collate "C" not null, role text collate "C" not null,
  created_at bigint not null, primary key (organization_id, user_id)
);
create table credential_secrets (
  organization_id text collate "C" not null, selector text collate "C" not null, credential_id text collate "C" not null,
  secret_hash text collate "C" not null, kind text collate "C" not null, generation integer not null,
  status text collate "C" not null, scopes text not null, creator_id text collate "C" not null, expires_at bigint,
  primary key (organization_id, selector), unique (organization_id, credential_id)
);
create table budgets (
  organization_id text collate "C" not null, credential_id text collate "C" not null, scope text collate "C" not null,
  window_start bigint not null, used integer not null,
  primary key (organization_id, credential_id, scope, window_start)
);
create table records (
  organization_id text collate "C" not null, id text collate "C" not null, sequence integer not null, body text not null,
  primary key (organization_id, id, sequence)
);
create table record_heads (
  organization_id text collate "C" not null, id text collate "C" not null, sequence integer not null,
  resource_version text collate "C" not null, status text collate "C" not null,
  primary key (organization_id, id)
) with (fillfactor = 80);
create table events (
  organization_id text collate "C" not null, subject_id text collate "C" not null, sequence integer not null,
  body text not null, primary key (organization_id, subject_id, sequence)
);
create table names (
  organization_id text collate "C" not null, kind text collate "C" not null, name text collate "C" not null,
  record_id text collate "C" not null, primary key (organization_id, kind, name)
);
create table artifacts (
  organization_id text collate "C" not null, content_hash text collate "C" not null, part integer not null,
  media_type text not null, byte_length bigint not null, producer text not null,
  registered_at bigint not null, content bytea not null,
  primary key (organization_id, content_hash, part)
);
create table jobs (
  organization_id text collate "C" not null, id text collate "C" not null, kind text collate "C" not null,
  status text collate "C" not null, subject_id text collate "C" not null, subject text not null, input text not null,
  progress_pips integer not null, attempts integer not null, result text, error text,
  created_at bigint not null, started_at bigint, finished_at bigint,
  heartbeat_at bigint, primary key (organization_id, id)
) with (fillfactor = 80);
create table idempotency (
  organization_id text collate "C" not null, actor text collate "C" not null, key text collate "C" not null,
  fingerprint text collate "C" not null, status integer not null, headers text not null,
  body text, record_id text collate "C", record_sequence integer, created_at bigint not null,
  primary key (organization_id, actor, key)
);
create table webhook_subscriptions (
  organization_id text collate "C" not null, id text collate "C" not null, url text not null,
  event_kinds text[] not null, status text collate "C" not null, secret text not null,
  previous_secret text, previous_secret_until bigint, failing_since bigint,
  owner_id text collate "C" not null, primary key (organization_id, id)
);
create table webhook_deliveries (
  organization_id text collate "C" not null, webhook_id text collate "C" not null, subject_id text collate "C" not null,
  event_sequence integer not null, message_id text collate "C" not null, status text collate "C" not null,
  attempts integer not null, next_attempt_at bigint not null, lease_until bigint,
  created_at bigint not null,
  primary key (organization_id, webhook_id, subject_id, event_sequence)
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'WAITING';
create table webhook_attempts (
  organization_id text collate "C" not null, webhook_id text collate "C" not null, subject_id text collate "C" not null,
  event_sequence integer not null, attempt integer not null, at bigint not null,
  outcome text collate "C" not null, status integer, duration_milliseconds integer not null,
  error_code text, answer_head text not null,
  primary key (organization_id, webhook_id, subject_id, event_sequence, attempt)
);

do $$ begin
  if not exists (select from pg_roles where rolname = 'liquidity_app') then
    create role liquidity_app nologin nobypassrls;
  end if;
  if not exists (select from pg_roles where rolname = 'liquidity_dispatch') then
    create role liquidity_dispatch nologin nobypassrls;
  end if;
end $$;
grant liquidity_app, liquidity_dispatch to current_user;
grant usage on schema public to liquidity_app, liquidity_dispatch;
grant select, insert, update on organizations, users, sessions, sign_in_links, rate_windows to liquidity_app;
grant delete on sessions, sign_in_links, rate_windows to liquidity_app;
grant select on organizations, users to liquidity_dispatch;
grant select on memberships, jobs, webhook_deliveries, idempotency, budgets to liquidity_dispatch;
grant delete on idempotency, budgets to liquidity_dispatch;

-- What the service's role may do on each tenant table; records, events and artifacts only grow.
alter table memberships enable row level security;
alter table memberships force row level security;
create policy tenant on memberships to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on memberships to liquidity_app;
alter table credential_secrets enable row level security;
alter table credential_secrets force row level security;
create policy tenant on credential_secrets to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on credential_secrets to liquidity_app;
alter table budgets enable row level security;
alter table budgets force row level security;
create policy tenant on budgets to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on budgets to liquidity_app;
alter table records enable row level security;
alter table records force row level security;
create policy tenant on records to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on records to liquidity_app;
alter table record_heads enable row level security;
alter table record_heads force row level security;
create policy tenant on record_heads to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on record_heads to liquidity_app;
alter table events enable row level security;
alter table events force row level security;
create policy tenant on events to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on events to liquidity_app;
alter table names enable row level security;
alter table names force row level security;
create policy tenant on names to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, delete on names to liquidity_app;
alter table artifacts enable row level security;
alter table artifacts force row level security;
create policy tenant on artifacts to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on artifacts to liquidity_app;
alter table jobs enable row level security;
alter table jobs force row level security;
create policy tenant on jobs to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on jobs to liquidity_app;
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy tenant on idempotency to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, delete on idempotency to liquidity_app;
alter table webhook_subscriptions enable row level security;
alter table webhook_subscriptions force row level security;
create policy tenant on webhook_subscriptions to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on webhook_subscriptions to liquidity_app;
alter table webhook_deliveries enable row level security;
alter table webhook_deliveries force row level security;
create policy tenant on webhook_deliveries to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on webhook_deliveries to liquidity_app;
alter table webhook_attempts enable row level security;
alter table webhook_attempts force row level security;
create policy tenant on webhook_attempts to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, delete on webhook_attempts to liquidity_app;

create policy dispatch on memberships to liquidity_dispatch using (true);
create policy dispatch on jobs to liquidity_dispatch using (true);
create policy dispatch on webhook_deliveries to liquidity_dispatch using (true);
create policy dispatch on idempotency to liquidity_dispatch using (true);
create policy dispatch on budgets to liquidity_dispatch using (true);
