-- Browsers in which somebody signed in, by hashes alone: who asks from one is counted apart from strangers, so that
-- nobody can use up the links of another. Global, since sign-in knows no organization.
create table known_browsers (
  email_hash text collate "C" not null, browser_hash text collate "C" not null, seen_at bigint not null,
  primary key (email_hash, browser_hash)
);
create index known_browsers_seen on known_browsers (seen_at);
grant select, insert, update, delete on known_browsers to liquidity_app;
