-- The newest job of a kind for a subject, and its newest success: what a schedule asks for every subject that it keeps fresh.
create index jobs_of_subject on jobs (organization_id, kind, subject_id, created_at desc);
