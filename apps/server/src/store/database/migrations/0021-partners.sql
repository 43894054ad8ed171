-- Hosts that partners have proven to control, unique over all organizations: a brand is found by the host that a request
-- arrived on, before anybody is known. Anyone may look a host up, which is what a brand is for; a row is written by its
-- holder alone. The skeleton is the host with what looks alike made equal.
create table partner_hosts (
  host text collate "C" primary key, skeleton text collate "C" not null, held_by text collate "C" not null,
  challenge_id text collate "C" not null, partner_id text collate "C", logo_hash text collate "C"
);
create index partner_hosts_skeleton on partner_hosts (skeleton);
create unique index partner_hosts_partner on partner_hosts (partner_id) where partner_id is not null;
create index partner_hosts_logo on partner_hosts (logo_hash) where logo_hash is not null;
alter table partner_hosts enable row level security;
alter table partner_hosts force row level security;
create policy looked_up on partner_hosts for select to liquidity_app using (true);
create policy taken on partner_hosts for insert to liquidity_app
  with check (held_by = current_setting('app.organization_id', true));
create policy changed on partner_hosts for update to liquidity_app
  using (held_by = current_setting('app.organization_id', true))
  with check (held_by = current_setting('app.organization_id', true));
create policy freed on partner_hosts for delete to liquidity_app
  using (held_by = current_setting('app.organization_id', true));
grant select, insert, update, delete on partner_hosts to liquidity_app;

-- What issuers let partners see. A consent opens its row to the organization of the partner, and its end closes it; what the
-- row leads to is read under the issuer's own policy, and only for the scopes and vaults of the consent.
create table partner_grants (
  organization_id text collate "C" not null, consent_id text collate "C" not null,
  partner_organization_id text collate "C" not null, partner_id text collate "C" not null,
  expires_at bigint not null, closed_at bigint,
  primary key (organization_id, consent_id)
);
create index partner_grants_open on partner_grants (partner_organization_id, partner_id) where closed_at is null;
create index partner_grants_due on partner_grants (organization_id, expires_at) where closed_at is null;
alter table partner_grants enable row level security;
alter table partner_grants force row level security;
create policy tenant on partner_grants to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
create policy opened on partner_grants for select to liquidity_app
  using (partner_organization_id = current_setting('app.organization_id', true) and closed_at is null);
grant select, insert, update on partner_grants to liquidity_app;
