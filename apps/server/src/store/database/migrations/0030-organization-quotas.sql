-- What the operator lets one organization keep, where that is not what the deployment lets each keep.
alter table organization_usage add column most_bytes bigint check (most_bytes > 0);
-- How far the measurement under way has come, as JSON, so that whoever looks next goes on from there; null where none is.
alter table organization_usage add column walk text;
