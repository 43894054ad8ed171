-- Passkeys: who has one shows by it alone that the one who signs in is the one who is meant. Global, since sign-in knows no
-- organization. A session has one challenge at a time, which ends with it and is used up by one answer.
create table passkeys (
  id text collate "C" primary key, user_id text collate "C" not null, name text not null,
  public_key text not null, counter bigint not null, transports text not null, is_synced boolean not null,
  created_at bigint not null, last_used_at bigint
);
create index passkeys_of_user on passkeys (user_id);
grant select, insert, update, delete on passkeys to liquidity_app;
alter table sessions add column challenge text, add column challenge_until bigint;
