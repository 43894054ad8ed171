-- Keys with which the deployment signs, such as its reports. Private halves are sealed; a retired key stays, so
-- that its signatures can still be checked. At most one key of a purpose is in use.
create table signing_keys (
  key_id text collate "C" primary key, purpose text collate "C" not null, public_key text not null,
  sealed_private_key text not null, created_at bigint not null, retired_at bigint
);
create unique index signing_keys_in_use on signing_keys (purpose) where retired_at is null;
grant select, insert, update on signing_keys to liquidity_app;
