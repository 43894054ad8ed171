-- Where one key of the proof log took the place of another: a note that both signed. A head of more leaves is signed by the later key.
create table log_handovers (
  tree_size bigint primary key, note text not null, handed_at bigint not null
);
grant select, insert on log_handovers to liquidity_app;
grant select on log_handovers to liquidity_log;
