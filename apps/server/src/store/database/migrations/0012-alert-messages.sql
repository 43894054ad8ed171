-- Messages about alerts, a row each, as the sweep decides them: what was told to which channel, and what is still to be
-- told. Whoever dies in between leaves a row that another process finds; `message_id` is the same in every attempt. The
-- number counts the messages of one alert to one channel, so that two servers that decide at once decide one.
create table alert_messages (
  organization_id text collate "C" not null, channel_id text collate "C" not null, alert_id text collate "C" not null,
  number integer not null, message_id text collate "C" not null,
  -- OPEN, RESOLVED; DIGEST of those that were held; OWNERS, of a message that did not arrive.
  kind text collate "C" not null, severity_rank integer not null, body text not null,
  -- WAITING, HELD until a digest, DIGESTED into one, DELIVERED, DEAD, CANCELLED.
  status text collate "C" not null, held_until bigint, attempts integer not null default 0,
  next_attempt_at bigint not null, lease_until bigint, created_at bigint not null, last_outcome text,
  primary key (organization_id, channel_id, alert_id, number)
);
create index alert_messages_waiting on alert_messages (next_attempt_at) where status = 'WAITING';
create index alert_messages_held on alert_messages (held_until) where status = 'HELD';

alter table alert_messages enable row level security;
alter table alert_messages force row level security;
create policy tenant on alert_messages to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on alert_messages to liquidity_app;
create policy dispatch on alert_messages to liquidity_dispatch using (true);
-- What is due, and what has served its time; what a message says is read under its organization only.
grant select (organization_id, channel_id, alert_id, number, message_id, status, held_until, next_attempt_at, lease_until,
  created_at) on alert_messages to liquidity_dispatch;
grant delete on alert_messages to liquidity_dispatch;
