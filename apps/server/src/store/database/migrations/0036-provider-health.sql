-- Learned limits and the last error of a node, one row per provider. A new version of the provider
-- makes the row obsolete.
create table provider_limits (
  organization_id text collate "C" not null, provider_id text collate "C" not null,
  resource_version text collate "C" not null,
  -- { callsPerSecond?, callsPerRequest?, logBlocks? }, each { value, at }; null without a limit.
  limits text,
  -- Chain error details, with the time as `at`; null without an error.
  last_error text,
  updated_at bigint not null,
  primary key (organization_id, provider_id)
);

-- Calls of a node in a minute, as one process counted them.
create table provider_minutes (
  organization_id text collate "C" not null, provider_id text collate "C" not null,
  -- Unix seconds of the start.
  at bigint not null, process text collate "C" not null,
  -- { answered, refused, failed, bytes, durations, methods }.
  counts text not null,
  primary key (organization_id, provider_id, at, process)
);
-- The purge finds minutes by age.
create index provider_minutes_aged on provider_minutes (at);

-- A job that waits for a node: reason, end of the wait and provider, and the number of waits, which
-- are no attempts. `waiting_since` is the first wait after the last stored part of the work.
alter table jobs add column waiting text;
alter table jobs add column waiting_until bigint;
alter table jobs add column waiting_since bigint;
alter table jobs add column waits integer not null default 0;

alter table provider_limits enable row level security;
alter table provider_limits force row level security;
create policy tenant on provider_limits to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on provider_limits to liquidity_app;

alter table provider_minutes enable row level security;
alter table provider_minutes force row level security;
create policy tenant on provider_minutes to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on provider_minutes to liquidity_app;
create policy dispatch on provider_minutes to liquidity_dispatch using (true);
grant select (at), delete on provider_minutes to liquidity_dispatch;
grant select (waiting_until) on jobs to liquidity_dispatch;
