-- One row per change of a role and per removal, so that members can read later who made it and why.
create table member_changes (
  organization_id text collate "C" not null, id text collate "C" not null, kind text collate "C" not null,
  email text collate "C" not null, role_before text collate "C" not null, role_after text collate "C",
  reason text, changed_by text collate "C" not null, changed_at bigint not null,
  primary key (organization_id, id)
);
alter table member_changes enable row level security;
alter table member_changes force row level security;
create policy tenant on member_changes to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on member_changes to liquidity_app;
