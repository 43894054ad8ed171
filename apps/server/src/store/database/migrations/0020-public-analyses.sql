-- What a stranger was told of a token, for as long as its hash can be named by whoever saves it. It belongs to nobody:
-- global, without a policy, and of public facts only.
create table public_analyses (
  analysis_hash text collate "C" primary key, body text not null, told_at bigint not null
);
create index public_analyses_told on public_analyses (told_at);
grant select, insert, update, delete on public_analyses to liquidity_app;
