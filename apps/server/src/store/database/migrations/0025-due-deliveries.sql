-- What is due of a webhook is found from its front, however much waits behind it.
create index webhook_deliveries_next on webhook_deliveries (organization_id, webhook_id, (replay_id is not null), next_attempt_at)
  where status = 'WAITING';
drop index webhook_deliveries_due;
