-- The receivers of one host share places among the deliveries, whoever subscribed it. Dispatching learns the host of a
-- subscription and neither its path nor its secrets.
alter table webhook_subscriptions add column host text
  generated always as (lower(split_part(split_part(url, '://', 2), '/', 1))) stored;
create policy dispatch on webhook_subscriptions to liquidity_dispatch using (true);
grant select (organization_id, id, host) on webhook_subscriptions to liquidity_dispatch;
