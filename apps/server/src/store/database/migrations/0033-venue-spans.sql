-- What every observation of a venue read, in columns: what a window, a map or an index job touches is found by an
-- index and not by parsing the observations of an organization. The rows follow from the observations.
create table venue_spans (
  organization_id text collate "C" not null, id text collate "C" not null, venue_id text collate "C" not null,
  resource_version text collate "C" not null, status text collate "C" not null,
  -- Times are Unix seconds.
  first_block bigint not null, first_hash text collate "C" not null, first_at bigint not null,
  last_block bigint not null, last_hash text collate "C" not null, last_at bigint not null,
  -- Null where the observation was sealed before parents were.
  parent_hash text collate "C",
  start_snapshot text collate "C" not null, end_snapshot text collate "C" not null, events_hash text collate "C" not null,
  -- Codes of the gaps, each once, in the order of their letters, separated by spaces.
  gaps text collate "C" not null,
  reads_events boolean not null
    generated always as ((' ' || gaps || ' ') not like '% EVENTS\_NOT\_READ %') stored,
  -- Whether the observation is on the chain. Null until it was compared with the others of its venue.
  is_standing boolean,
  -- Whether another that reads events and is on the chain begins on its last block.
  is_followed boolean not null default false,
  primary key (organization_id, venue_id, id)
);

create function venue_span_of(organization text, body jsonb) returns venue_spans language sql stable as $$
  select organization, body ->> 'id', body #>> '{payload,venue,id}', body ->> 'resourceVersion', body ->> 'status',
    (payload #>> '{range,from,number}')::bigint, payload #>> '{range,from,hash}',
    extract(epoch from (payload #>> '{range,from,timestamp}')::timestamptz)::bigint,
    (payload #>> '{range,to,number}')::bigint, payload #>> '{range,to,hash}',
    extract(epoch from (payload #>> '{range,to,timestamp}')::timestamptz)::bigint,
    payload #>> '{range,parentHash}', payload #>> '{start,snapshotHash}', payload #>> '{state,snapshotHash}',
    payload #>> '{events,artifactHash}',
    coalesce((select string_agg(code, ' ' order by code) from (
      select distinct gap ->> 'code' collate "C" as code from jsonb_array_elements(payload -> 'gaps') as gap
    ) as gaps), ''),
    null::boolean, null::boolean, null::boolean
  from (select body -> 'payload' as payload) as observation
$$;

-- Organizations whose observations from before this migration have rows. The service makes them when it first needs them:
-- the migration itself reads no record and holds nobody up.
create table venue_spans_filled (organization_id text collate "C" primary key);
alter table venue_spans_filled enable row level security;
alter table venue_spans_filled force row level security;
create policy tenant on venue_spans_filled to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on venue_spans_filled to liquidity_app;
create policy dispatch on venue_spans_filled to liquidity_dispatch using (true);
grant select on venue_spans_filled to liquidity_dispatch;

create index venue_spans_by_block on venue_spans (organization_id, venue_id, reads_events, last_block, id);
create index venue_spans_by_time on venue_spans (organization_id, venue_id, last_at, first_at);
create index venue_spans_unjudged on venue_spans (organization_id, venue_id) where is_standing is null;
create index venue_spans_ends on venue_spans (organization_id, venue_id)
  where reads_events and is_standing and not is_followed;
create index venue_spans_overtaken on venue_spans (organization_id, venue_id) where not is_standing;

-- Few are null for long. What was there while all were, after an upgrade, must not keep the planner from the index.
alter table venue_spans alter column is_standing set statistics 0;

alter table venue_spans enable row level security;
alter table venue_spans force row level security;
create policy tenant on venue_spans to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update on venue_spans to liquidity_app;
create policy dispatch on venue_spans to liquidity_dispatch using (true);
grant select (organization_id, venue_id, is_standing) on venue_spans to liquidity_dispatch;

-- Nodes of the release before append by this function too, so that their observations have rows.
create or replace function append_change_group(
  organization text,

  session_tokens text[], session_users text[], session_since bigint[], session_until bigint[],
  session_roles text[],

  credential_ids text[], credential_hashes text[], credential_scopes text[], credential_creators text[],
  credential_until bigint[], credential_roles text[],

  record_ids text[], record_sequences integer[], record_bodies text[],

  head_ids text[], head_sequences integer[], head_versions text[], head_statuses text[],

  event_subjects text[], event_sequences integer[], event_bodies text[], kinds_of_events text[],
  event_ids text[], event_times bigint[],

  claim_kinds text[], claim_names text[], claim_records text[],

  answer_actors text[], answer_keys text[], answer_fingerprints text[], answer_statuses integer[],
  answer_headers text[], answer_bodies text[], answer_records text[], answer_sequences integer[],
  answer_times bigint[]
) returns void language plpgsql as $$
begin
  if session_tokens <> '{}' then
    perform require_expected(count(*) = cardinality(session_tokens))
    from unnest(session_tokens, session_users, session_since, session_until, session_roles)
      as asked (token_hash, user_id, authenticated_at, expires_at, role)
    cross join lateral (select epoch from sessions where token_hash = asked.token_hash
      and user_id = asked.user_id and revoked_at is null
      and authenticated_at = asked.authenticated_at and expires_at = asked.expires_at limit 1) as session
    cross join lateral (select 1 from memberships where organization_id = organization
      and user_id = asked.user_id and role = asked.role and epoch <= session.epoch limit 1) as membership;
  end if;
  if credential_ids <> '{}' then
    perform require_expected(count(*) = cardinality(credential_ids))
    from unnest(credential_ids, credential_hashes, credential_scopes, credential_creators,
        credential_until, credential_roles)
      as asked (credential_id, secret_hash, scopes, creator_id, expires_at, role)
    cross join lateral (select epoch from credential_secrets where organization_id = organization
      and credential_id = asked.credential_id and secret_hash = asked.secret_hash and status = 'ACTIVE'
      and scopes = asked.scopes and creator_id = asked.creator_id
      and expires_at is not distinct from asked.expires_at limit 1) as credential
    cross join lateral (select 1 from memberships where organization_id = organization
      and user_id = asked.creator_id and role = asked.role and epoch = credential.epoch limit 1) as membership;
  end if;

  insert into records (organization_id, id, sequence, body)
    select organization, * from unnest(record_ids, record_sequences, record_bodies);

  -- A first version has no head yet, and need not ask whether there is one.
  insert into record_heads (organization_id, id, sequence, resource_version, status)
    select organization, * from unnest(head_ids, head_sequences, head_versions, head_statuses)
      as head (id, sequence, resource_version, status) where head.sequence = 1;
  if 1 < any (head_sequences) then
    insert into record_heads (organization_id, id, sequence, resource_version, status)
      select organization, * from unnest(head_ids, head_sequences, head_versions, head_statuses)
        as head (id, sequence, resource_version, status) where head.sequence > 1
    on conflict (organization_id, id) do update set sequence = excluded.sequence,
      resource_version = excluded.resource_version, status = excluded.status;
  end if;

  if exists (select from unnest(record_ids) as id where id >= 'venue_observation_0' and id < 'venue_observation_:') then
    insert into venue_spans (organization_id, id, venue_id, resource_version, status, first_block, first_hash, first_at,
        last_block, last_hash, last_at, parent_hash, start_snapshot, end_snapshot, events_hash, gaps)
      select span.organization_id, span.id, span.venue_id, span.resource_version, span.status, span.first_block,
        span.first_hash, span.first_at, span.last_block, span.last_hash, span.last_at, span.parent_hash,
        span.start_snapshot, span.end_snapshot, span.events_hash, span.gaps
      from unnest(record_ids, record_bodies) as r (id, body)
      cross join lateral venue_span_of(organization, r.body::jsonb) as span
      where r.id >= 'venue_observation_0' and r.id < 'venue_observation_:' and span.last_block is not null
    on conflict (organization_id, venue_id, id) do update set resource_version = excluded.resource_version,
      status = excluded.status, gaps = excluded.gaps, is_standing = null;
  end if;

  if event_ids <> '{}' then
    insert into events (organization_id, subject_id, sequence, body, kind, at, era, transaction_id, ordinal)
      select organization, e.subject_id, e.sequence, e.body, e.kind, e.at,
        (select max(era) from event_eras), pg_current_xact_id()::text::bigint, e.ordinal
      from unnest(event_subjects, event_sequences, event_bodies, kinds_of_events, event_times)
        with ordinality as e (subject_id, sequence, body, kind, at, ordinal);
    -- The outbox: one delivery for each subscription that asked for the kind of an event; held while it is paused.
    insert into webhook_deliveries (organization_id, webhook_id, subject_id, event_sequence,
        message_id, status, attempts, next_attempt_at, created_at)
      select s.organization_id, s.id, e.subject_id, e.sequence, e.id,
        case s.status when 'ACTIVE' then 'WAITING' else 'HELD' end, 0,
        greatest(e.at, (select w.next_attempt_at from webhook_deliveries w where w.organization_id = organization
          and w.webhook_id = s.id and w.subject_id = e.subject_id and w.status = 'WAITING'
          order by w.event_sequence limit 1)), e.at
      from webhook_subscriptions s,
        unnest(event_subjects, event_sequences, kinds_of_events, event_ids, event_times)
          as e (subject_id, sequence, kind, id, at)
      where s.organization_id = organization and s.status in ('ACTIVE', 'PAUSED')
        and s.event_kinds && array['*', e.kind];
  end if;

  -- A node of the release before tells of a reorganization and judges nothing.
  if 'venue.reorg' = any (kinds_of_events) then
    update venue_spans set is_standing = null where venue_spans.organization_id = organization and venue_id in (
      select e.subject_id from unnest(event_subjects, kinds_of_events) as e (subject_id, kind)
      where e.kind = 'venue.reorg');
  end if;

  if claim_names <> '{}' then
    insert into names (organization_id, kind, name, record_id)
      select organization, * from unnest(claim_kinds, claim_names, claim_records);
  end if;

  if answer_keys <> '{}' then
    insert into idempotency (organization_id, actor, key, fingerprint, status, headers, body,
        record_id, record_sequence, created_at)
      select organization, * from unnest(answer_actors, answer_keys, answer_fingerprints,
        answer_statuses, answer_headers, answer_bodies, answer_records, answer_sequences, answer_times);
  end if;
end $$;

-- A walk over the schedules of all organizations reads which records of these kinds stand and when their jobs ran, and no
-- body. An id ends with `_` and 32 digits, and what is before them is its kind.
create index record_heads_kept on record_heads ((left(id, -33)), organization_id, id)
  where left(id, -33) in ('mandate', 'partner_domain', 'provider', 'schedule', 'score', 'treasury_entry', 'venue');
create policy dispatch on record_heads for select to liquidity_dispatch using (true);
grant select (organization_id, id, resource_version, status) on record_heads to liquidity_dispatch;

-- The purge deletes ended jobs. The policy protects queued and running ones.
create index jobs_made on jobs (kind, created_at);
grant delete on jobs to liquidity_dispatch;
create policy ended on jobs as restrictive for delete to liquidity_dispatch
  using (status not in ('QUEUED', 'RUNNING'));
