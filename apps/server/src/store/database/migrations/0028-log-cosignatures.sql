-- Lines of witnesses under heads of the proof log: each checked with the key that the deployment trusts before it is kept, and kept for
-- ever with that key, so that whoever walks the log can check it again.
create table log_cosignatures (
  tree_size bigint not null,
  -- Of the witness: its name, and its Ed25519 key, 32 raw bytes in base64.
  name text collate "C" not null, public_key text collate "C" not null,
  -- As it stands under the note, with its line feed.
  line text not null,
  primary key (tree_size, name, public_key)
);
create index log_cosignatures_of_witness on log_cosignatures (name, public_key, tree_size);
grant select, insert on log_cosignatures to liquidity_log;
grant select on log_cosignatures to liquidity_app;
