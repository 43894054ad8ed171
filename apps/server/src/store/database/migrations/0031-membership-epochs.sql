-- A removed member who is added again must not get old sessions and credentials back.
--
-- users.epoch counts the removals of a user from any organization. A membership, a session and a credential store the epoch
-- at which they were made. A session reaches an organization if its epoch is at least that of the membership. A credential
-- works if its epoch equals that of its creator's membership.
alter table users add column epoch integer not null default 0;
alter table sessions add column epoch integer not null default 0;
alter table memberships add column epoch integer not null default 0;
alter table credential_secrets add column epoch integer not null default 0;
-- Members who were removed before this migration: whoever is added from now on has a later epoch than any old session or key.
update users set epoch = 1;

-- One row per removal, so that owners can read later what it revoked and paused.
create table member_removals (
  organization_id text collate "C" not null, id text collate "C" not null, user_id text collate "C" not null,
  email text collate "C" not null, removed_by text collate "C" not null, removed_at bigint not null,
  effects text not null,
  primary key (organization_id, id)
);
alter table member_removals enable row level security;
alter table member_removals force row level security;
create policy tenant on member_removals to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert on member_removals to liquidity_app;

-- As before, with the epochs in the two checks of callers.
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
