-- States of the thresholds of alert rules, and their firings. A threshold is evaluated from `at` on, so an evaluation that
-- was interrupted is repeated. All rows follow from observations, scores and rules.

create table alert_thresholds (
  organization_id text collate "C" not null, rule_id text collate "C" not null,
  -- Time of the newest sample, in Unix seconds, and its value. Null in a gap.
  at bigint not null, value numeric,
  -- OK, PENDING, FIRING.
  phase text collate "C" not null, true_since bigint, false_since bigint, fired_at bigint, extreme numeric,
  primary key (organization_id, rule_id)
);

create table alert_firings (
  organization_id text collate "C" not null, rule_id text collate "C" not null,
  -- Unix seconds. No end while it lasts.
  from_at bigint not null, until_at bigint,
  extreme numeric not null, severity text collate "C" not null, title text not null,
  pair text collate "C" not null, venue_id text collate "C",
  -- The observation or score that the firing relies on.
  evidence_type text collate "C" not null, evidence_id text collate "C" not null,
  evidence_version text collate "C" not null,
  primary key (organization_id, rule_id, from_at)
);
create index alert_firings_recent on alert_firings (organization_id, until_at);
-- The purge finds firings by age.
create index alert_firings_aged on alert_firings (until_at) where until_at is not null;

-- Targets of alert channels, encrypted with the key of the deployment. Records of channels do not contain them.
create table alert_channel_targets (
  organization_id text collate "C" not null, channel_id text collate "C" not null,
  sealed text not null,
  primary key (organization_id, channel_id)
);

alter table alert_thresholds enable row level security;
alter table alert_thresholds force row level security;
create policy tenant on alert_thresholds to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on alert_thresholds to liquidity_app;

alter table alert_firings enable row level security;
alter table alert_firings force row level security;
create policy tenant on alert_firings to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on alert_firings to liquidity_app;
create policy dispatch on alert_firings to liquidity_dispatch using (true);
grant select (organization_id, rule_id, from_at, until_at), delete on alert_firings to liquidity_dispatch;

alter table alert_channel_targets enable row level security;
alter table alert_channel_targets force row level security;
create policy tenant on alert_channel_targets to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on alert_channel_targets to liquidity_app;
