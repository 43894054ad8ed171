-- Tokens that market data providers of the deployment list and the shipped catalog does not. A row
-- makes the public id of a token resolvable on every node. It belongs to no organization: global,
-- without a policy, and of public facts only.
create table discovered_tokens (
  id bigint primary key, asset_key text collate "C" not null unique,
  -- { name, symbol, decimals, source, at }.
  body text not null, reported_at bigint not null
);
create index discovered_tokens_reported on discovered_tokens (reported_at);
grant select, insert, update, delete on discovered_tokens to liquidity_app;
