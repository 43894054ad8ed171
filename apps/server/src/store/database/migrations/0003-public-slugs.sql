-- Addresses under which anyone may read something: unique over all organizations, so the table is a global one
-- without a policy, and holds no more than what finds the record. A slug is never given out again; whoever
-- kept an old link must not be led to another organization.
create table public_slugs (
  kind text collate "C" not null, slug text collate "C" not null, held_by text collate "C" not null,
  record_id text collate "C" not null, expires_at bigint not null, closed_at bigint,
  primary key (kind, slug)
);
create index public_slugs_due on public_slugs (expires_at) where closed_at is null;
grant select, insert, update on public_slugs to liquidity_app;
