-- A consent that has run out shows nothing, swept or not: its row is open to the partner before its end only. The moment is
-- said by whoever asks, in milliseconds since 1970 and for one transaction; where nobody says one, nothing is shown.
drop policy opened on partner_grants;
create policy opened on partner_grants for select to liquidity_app
  using (partner_organization_id = current_setting('app.organization_id', true) and closed_at is null
    and expires_at > nullif(current_setting('app.moment', true), '')::bigint);
