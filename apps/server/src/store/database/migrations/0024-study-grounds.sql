-- What the kept batches of a study are paths of, and of which arms, so that a study which asks the same of another arm takes up
-- the others. The batches of the study of an organization that ended last stay for a while.
create table study_grounds (
  organization_id text collate "C" not null, job_id text collate "C" not null,
  ground text collate "C" not null, arms text not null, created_at bigint not null,
  primary key (organization_id, job_id)
);
alter table study_grounds enable row level security;
alter table study_grounds force row level security;
create policy tenant on study_grounds to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
create policy dispatch on study_grounds to liquidity_dispatch using (true);
grant select, insert, delete on study_grounds to liquidity_app;
grant select (organization_id, job_id, created_at), delete on study_grounds to liquidity_dispatch;
grant select (organization_id, job_id) on study_batches to liquidity_dispatch;
