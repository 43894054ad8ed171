-- Finished batches of paths of studies under way, so that a study whose worker died goes on after the last of
-- them. They are removed with the end of their job; what nobody removed goes after a week.
create table study_batches (
  organization_id text collate "C" not null, job_id text collate "C" not null,
  batch integer not null, part integer not null, made_by text collate "C" not null,
  content bytea not null, created_at bigint not null,
  primary key (organization_id, job_id, batch, part)
);
alter table study_batches enable row level security;
alter table study_batches force row level security;
create policy tenant on study_batches to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
create policy dispatch on study_batches to liquidity_dispatch using (true);
grant select, insert, delete on study_batches to liquidity_app;
grant select (created_at), delete on study_batches to liquidity_dispatch;
