-- What stands (a validated venue, an active score, provider or anomaly, and what has run out) is asked for by alerts, maps,
-- schedules and sweeps, and is few beside what was ever written.
create index record_heads_standing on record_heads (organization_id, id)
  where status in ('ACTIVE', 'VALIDATED', 'PAUSED', 'EXPIRED');
