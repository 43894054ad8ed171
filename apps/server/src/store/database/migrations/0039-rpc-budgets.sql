-- Calls of an RPC node that all processes share, one row per provider with a configured or learned
-- rate or with credits per day.
create table rpc_budgets (
  organization_id text collate "C" not null, provider_id text collate "C" not null,
  -- Unix time in ms until which the tokens are reserved.
  reserved_until bigint not null,
  -- Unix day, and the credits spent in it.
  day bigint not null, credits bigint not null,
  primary key (organization_id, provider_id)
);

alter table rpc_budgets enable row level security;
alter table rpc_budgets force row level security;
create policy tenant on rpc_budgets to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on rpc_budgets to liquidity_app;
