-- The proof log: one append-only Merkle tree (RFC 6962) over the events of all organizations. It holds hashes and times
-- only, so it stands outside of the tenants. Leaves follow the order of commits (0014-order-of-events), whoever appends:
-- a sequencer moves the one row of `log_state` from the size that it read, or its transaction fails as a whole.
alter table events add column evidence_hash text collate "C"
  generated always as (substring(body from '"evidenceHash":"(0x[0-9a-f]{64})"')) stored;
create index events_to_log on events (era, transaction_id);

create table log_state (
  is_only boolean primary key default true check (is_only),
  -- The name of the log, for ever: that of its key in every checkpoint.
  origin text not null, tree_size bigint not null,
  -- The place of the event that is the last leaf.
  era integer not null, transaction_id bigint not null, last_organization_id text collate "C" not null,
  ordinal integer not null
);
create table log_leaves (
  leaf_index bigint primary key, subject_hash text collate "C" not null unique,
  -- Seconds since 1970.
  logged_at bigint not null
);
-- Hashes of complete subtrees, each written once: 2^level leaves from place times as many on. Level 0 are the leaves.
create table log_nodes (
  level integer not null, place bigint not null, hash bytea not null, primary key (level, place)
);
create table log_checkpoints (
  tree_size bigint primary key, root_hash text collate "C" not null, note text not null, signed_at bigint not null
);

-- Who sequences sees the hashes of all events and nothing that they say; what is in the log can only be added to.
do $$ begin
  if not exists (select from pg_roles where rolname = 'liquidity_log') then
    create role liquidity_log nologin nobypassrls;
  end if;
end $$;
grant liquidity_log to current_user;
grant usage on schema public to liquidity_log;
grant select (organization_id, evidence_hash, at, era, transaction_id, ordinal) on events to liquidity_log;
create policy log on events for select to liquidity_log using (true);
grant select on event_eras to liquidity_log;
grant select, insert, update on log_state to liquidity_log;
grant select, insert on log_leaves, log_nodes, log_checkpoints to liquidity_log;
-- Whose event was the last is the business of nobody else.
grant select (origin, tree_size) on log_state to liquidity_app;
grant select on log_leaves, log_nodes, log_checkpoints to liquidity_app;
