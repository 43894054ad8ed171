/**
 * The foundation: identity, the append-only store, queues.
 *
 * - `organization_id` leads every key of a tenant table; no sequences, triggers, or foreign keys across tenants.
 * - The service's roles have neither UPDATE nor DELETE on records, events and artifacts.
 * - Every tenant table has one policy: one comparison with the organization set for the transaction.
 * - Times are milliseconds since 1970, given by the service: clocks are arguments.
 * - A record needs two indexes (its own key and the head's), an event one: ids sort by creation, so pages
 *   of a collection are ranges of the head's key.
 */
const text = 'text collate "C"'

const globalTables = `
create table organizations (
  id ${text} primary key, name text not null, created_at bigint not null
);
create table users (
  id ${text} primary key, email ${text} not null unique, created_at bigint not null
);
create table sessions (
  token_hash ${text} primary key, user_id ${text} not null, created_at bigint not null,
  authenticated_at bigint not null, expires_at bigint not null, revoked_at bigint
);
create table sign_in_links (
  token_hash ${text} primary key, email ${text} not null, browser_hash ${text} not null,
  session_hash ${text}, created_at bigint not null, expires_at bigint not null,
  used_at bigint
);
create table rate_windows (
  bucket ${text} not null, window_start bigint not null, used integer not null,
  primary key (bucket, window_start)
);`

const tenantTables = `
create table memberships (
  organization_id ${text} not null, user_id ${text} not null, role ${text} not null,
  created_at bigint not null, primary key (organization_id, user_id)
);
create table credential_secrets (
  organization_id ${text} not null, selector ${text} not null, credential_id ${text} not null,
  secret_hash ${text} not null, kind ${text} not null, generation integer not null,
  status ${text} not null, scopes text not null, creator_id ${text} not null, expires_at bigint,
  primary key (organization_id, selector), unique (organization_id, credential_id)
);
create table budgets (
  organization_id ${text} not null, credential_id ${text} not null, scope ${text} not null,
  window_start bigint not null, used integer not null,
  primary key (organization_id, credential_id, scope, window_start)
);
create table records (
  organization_id ${text} not null, id ${text} not null, sequence integer not null, body text not null,
  primary key (organization_id, id, sequence)
);
create table record_heads (
  organization_id ${text} not null, id ${text} not null, sequence integer not null,
  resource_version ${text} not null, status ${text} not null,
  primary key (organization_id, id)
) with (fillfactor = 80);
create table events (
  organization_id ${text} not null, subject_id ${text} not null, sequence integer not null,
  body text not null, primary key (organization_id, subject_id, sequence)
);
create table names (
  organization_id ${text} not null, kind ${text} not null, name ${text} not null,
  record_id ${text} not null, primary key (organization_id, kind, name)
);
create table artifacts (
  organization_id ${text} not null, content_hash ${text} not null, part integer not null,
  media_type text not null, byte_length bigint not null, producer text not null,
  registered_at bigint not null, content bytea not null,
  primary key (organization_id, content_hash, part)
);
create table jobs (
  organization_id ${text} not null, id ${text} not null, kind ${text} not null,
  status ${text} not null, subject_id ${text} not null, subject text not null, input text not null,
  progress_pips integer not null, attempts integer not null, result text, error text,
  created_at bigint not null, started_at bigint, finished_at bigint,
  heartbeat_at bigint, primary key (organization_id, id)
) with (fillfactor = 80);
create table idempotency (
  organization_id ${text} not null, actor ${text} not null, key ${text} not null,
  fingerprint ${text} not null, status integer not null, headers text not null,
  body text, record_id ${text}, record_sequence integer, created_at bigint not null,
  primary key (organization_id, actor, key)
);
create table webhook_subscriptions (
  organization_id ${text} not null, id ${text} not null, url text not null,
  event_kinds text[] not null, status ${text} not null, secret text not null,
  previous_secret text, previous_secret_until bigint, failing_since bigint,
  owner_id ${text} not null, primary key (organization_id, id)
);
create table webhook_deliveries (
  organization_id ${text} not null, webhook_id ${text} not null, subject_id ${text} not null,
  event_sequence integer not null, message_id ${text} not null, status ${text} not null,
  attempts integer not null, next_attempt_at bigint not null, lease_until bigint,
  created_at bigint not null,
  primary key (organization_id, webhook_id, subject_id, event_sequence)
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'WAITING';
create table webhook_attempts (
  organization_id ${text} not null, webhook_id ${text} not null, subject_id ${text} not null,
  event_sequence integer not null, attempt integer not null, at bigint not null,
  outcome ${text} not null, status integer, duration_milliseconds integer not null,
  error_code text, answer_head text not null,
  primary key (organization_id, webhook_id, subject_id, event_sequence, attempt)
);`

/** What the service's role may do on each tenant table; records, events and artifacts only grow. */
export const tenantGrants: Readonly<Record<string, string>> = {
  memberships: 'select, insert, update, delete',
  credential_secrets: 'select, insert, update',
  budgets: 'select, insert, update, delete',
  records: 'select, insert',
  record_heads: 'select, insert, update',
  events: 'select, insert',
  names: 'select, insert, delete',
  artifacts: 'select, insert',
  jobs: 'select, insert, update',
  idempotency: 'select, insert, delete',
  webhook_subscriptions: 'select, insert, update',
  webhook_deliveries: 'select, insert, update, delete',
  webhook_attempts: 'select, insert, delete',
}

const roles = `
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
grant delete on idempotency, budgets to liquidity_dispatch;`

const policies = Object.entries(tenantGrants)
  .map(
    ([table, grants]) => `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy tenant on ${table} to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant ${grants} on ${table} to liquidity_app;`,
  )
  .join('')

const dispatchPolicies = ['memberships', 'jobs', 'webhook_deliveries', 'idempotency', 'budgets']
  .map((table) => `create policy dispatch on ${table} to liquidity_dispatch using (true);`)
  .join('\n')

export const foundation = [globalTables, tenantTables, roles, policies, dispatchPolicies].join('\n')
