-- Prices of days that are not over: each is sealed with its day, and then removed here. A signed price has no other copy.
create table price_points (
  organization_id text collate "C" not null, series_id text collate "C" not null, at bigint not null,
  price_x36 text not null, error_pips integer not null, proof text,
  primary key (organization_id, series_id, at)
);
alter table price_points enable row level security;
alter table price_points force row level security;
create policy tenant on price_points to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, delete on price_points to liquidity_app;
