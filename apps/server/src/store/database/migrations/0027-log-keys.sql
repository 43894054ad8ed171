-- Where one key of the proof log took the place of another: a note that both signed. A head of more leaves is signed by the later key.
create table log_handovers (
  tree_size bigint primary key, note text not null, handed_at bigint not null
);
grant select, insert on log_handovers to liquidity_app;
grant select on log_handovers to liquidity_log;

-- Keeps whoever signs a head and whoever replaces its key from doing so at the same time.
create function lock_log_key() returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended('key of the proof log', 0))
$$;

-- Whoever stores a head says on how many handovers its signature rests. A process of the release before says nothing, so it stores no
-- head behind the first of them: it would sign with a key whose time is over, and a head is stored for ever.
create function require_known_handovers() returns trigger language plpgsql as $$
begin
  perform lock_log_key();
  perform require_expected(count(*)::text = coalesce(nullif(current_setting('app.log_handovers', true), ''), '0'))
    from log_handovers;
  return new;
end $$;
create trigger log_checkpoint_key before insert on log_checkpoints
  for each row execute function require_known_handovers();
