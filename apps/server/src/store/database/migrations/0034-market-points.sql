-- Prices, depth, volume and fees of a venue by time, so that a chart or a summary reads no observation. All rows follow
-- from the observations: a day whose rows may be wrong is named in `market_points_due`, and is computed again.

-- A bucket with an event, or with the start of an observation or of a day. A silent bucket repeats the row before it.
create table market_points (
  organization_id text collate "C" not null, venue_id text collate "C" not null,
  -- Seconds of a bucket, and Unix seconds of its start.
  resolution integer not null, at bigint not null,
  -- Quote atoms per base atom, times 10^36. Null while the market has no price.
  open numeric, high numeric, low numeric, close numeric,
  -- Quote atoms by band in pips at the end of the bucket: { "20000": ["buy", "sell"] }. Null where it was not computed.
  depth jsonb,
  tvl numeric, volume numeric not null, fees numeric not null, trades bigint not null,
  -- The last observation that contributed.
  observation_id text collate "C" not null,
  primary key (organization_id, venue_id, resolution, at)
);

-- Observed time of a venue, per UTC day. Ends are Unix seconds, both inside.
create table market_spans (
  organization_id text collate "C" not null, venue_id text collate "C" not null,
  day bigint not null, from_at bigint not null, until_at bigint not null,
  primary key (organization_id, venue_id, day, from_at)
);

-- Days to compute from the sealed observations. They have neither points nor spans until then.
create table market_points_due (
  organization_id text collate "C" not null, venue_id text collate "C" not null, day bigint not null,
  primary key (organization_id, venue_id, day)
);

-- The purge finds points by age.
create index market_points_aged on market_points (resolution, at) where resolution < 86400;

-- Whether the points contain the observation, or its days are due.
alter table venue_spans add column is_counted boolean not null default false;
create index venue_spans_unsettled on venue_spans (organization_id, venue_id)
  where is_counted <> (coalesce(is_standing, false) and gaps in ('', 'END_STATE_NOT_READ'));
grant select (is_counted, gaps) on venue_spans to liquidity_dispatch;

create or replace function venue_span_of(organization text, body jsonb) returns venue_spans language sql stable as $$
  select organization, body ->> 'id', body #>> '{payload,venue,id}', body ->> 'resourceVersion', body ->> 'status',
    (payload #>> '{range,from,number}')::bigint, payload #>> '{range,from,hash}',
    extract(epoch from (payload #>> '{range,from,timestamp}')::timestamptz)::bigint,
    (payload #>> '{range,to,number}')::bigint, payload #>> '{range,to,hash}',
    extract(epoch from (payload #>> '{range,to,timestamp}')::timestamptz)::bigint,
    payload #>> '{range,parentHash}', payload #>> '{start,snapshotHash}', payload #>> '{state,snapshotHash}',
    payload #>> '{events,artifactHash}',
    coalesce((select string_agg(code, ' ' order by code) from (
      select distinct gap ->> 'code' collate "C" as code from jsonb_array_elements(payload -> 'gaps') as gap
    ) as gaps), ''),
    null::boolean, null::boolean, null::boolean, null::boolean
  from (select body -> 'payload' as payload) as observation
$$;

alter table market_points enable row level security;
alter table market_points force row level security;
create policy tenant on market_points to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on market_points to liquidity_app;
create policy dispatch on market_points to liquidity_dispatch using (true);
grant select (resolution, at), delete on market_points to liquidity_dispatch;

alter table market_spans enable row level security;
alter table market_spans force row level security;
create policy tenant on market_spans to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, update, delete on market_spans to liquidity_app;

alter table market_points_due enable row level security;
alter table market_points_due force row level security;
create policy tenant on market_points_due to liquidity_app
  using (organization_id = current_setting('app.organization_id', true))
  with check (organization_id = current_setting('app.organization_id', true));
grant select, insert, delete on market_points_due to liquidity_app;
create policy dispatch on market_points_due to liquidity_dispatch using (true);
grant select on market_points_due to liquidity_dispatch;
