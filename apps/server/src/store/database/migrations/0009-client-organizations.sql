-- Whose a client is, for the token exchange of a client that names no organization: the id and nothing else of it.
create index credential_secrets_by_id on credential_secrets (credential_id);
create policy dispatch on credential_secrets to liquidity_dispatch using (true);
grant select (organization_id, credential_id) on credential_secrets to liquidity_dispatch;
