-- What an organization keeps, where the deployment bounds it. Every process adds what it has committed now and then, outside of
-- the changes themselves: a counter in each of them would have the changes of an organization wait for each other.
create table organization_usage (
  organization_id text collate "C" primary key,
  bytes bigint not null,
  -- When a walk over the rows last corrected it; null where none has.
  measured_at bigint
);
alter table organization_usage enable row level security;
alter table organization_usage force row level security;
create policy tenant on organization_usage to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on organization_usage to liquidity_app;
create policy dispatch on organization_usage to liquidity_dispatch using (true);
grant select on organization_usage to liquidity_dispatch;
