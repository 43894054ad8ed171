-- An invitation is neither a user nor a member. It becomes a membership when the person accepts it, or expires.
create table invitations (
  organization_id text collate "C" not null, email text collate "C" not null, role text collate "C" not null,
  invited_by text collate "C" not null, created_at bigint not null, expires_at bigint not null,
  primary key (organization_id, email)
);
-- A sign-in asks for the invitations of an address.
create index invitations_of_address on invitations (email);
create index invitations_by_end on invitations (expires_at);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy tenant on invitations to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on invitations to liquidity_app;
create policy dispatch on invitations to liquidity_dispatch using (true);
grant select, delete on invitations to liquidity_dispatch;
