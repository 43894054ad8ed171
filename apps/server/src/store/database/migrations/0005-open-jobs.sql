-- What the sweep for jobs looks for: those that have not ended, and when an organization was last served.
create index jobs_open on jobs (organization_id, created_at, id) where status in ('QUEUED', 'RUNNING');
create index jobs_began on jobs (organization_id, started_at desc nulls last);
