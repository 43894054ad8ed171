-- What has served its time is found by when it was made: rows come in that order, so that a summary of each range of pages
-- is enough and costs a mutation next to nothing, where a tree would cost it one more entry.
create index idempotency_made on idempotency using brin (created_at);
create index study_batches_made on study_batches using brin (created_at);
create index alert_messages_made on alert_messages using brin (created_at);
create index webhook_deliveries_made on webhook_deliveries using brin (created_at);
create index webhook_attempts_made on webhook_attempts using brin (at);

-- Deliveries that ended, and what was tried for them, are kept for a while; one that waits nobody can take away.
grant delete on webhook_deliveries to liquidity_dispatch;
create policy ended on webhook_deliveries as restrictive for delete to liquidity_dispatch
  using (status not in ('WAITING', 'HELD'));
create policy dispatch on webhook_attempts to liquidity_dispatch using (true);
grant select (at), delete on webhook_attempts to liquidity_dispatch;
