// @module-tag long
// @module-tag postgres
// @covers apps/server/src/families/intelligence/alerts

import type { contract } from '@liquidity-os/contract'
import { startLocalchain } from '@liquidity-os/localchain'
import type { Static } from 'typebox'
import { describe, expect } from 'vitest'
import type { HandledAlert } from '../src/families/intelligence/alerts/alert-notices.ts'
import { sweepAlerts } from '../src/families/intelligence/alerts/alert-sweep.ts'
import { sealTarget } from '../src/families/intelligence/alerts/messages/channel-target.ts'
import { channels } from '../src/families/intelligence/alerts/records.ts'
import { commitEvaluation } from '../src/families/intelligence/alerts/thresholds/commit-evaluation.ts'
import { deployMarkets } from '../src/integrations/chain/testing/markets.ts'
import { limits } from '../src/limits.ts'
import { ConflictError } from '../src/store/database/database.ts'
import { recordsOf } from './support/admissible.ts'
import { type Watched, watchedMarkets } from './support/anomalous.ts'
import { hostOf, type TestChain } from './support/chain.ts'
import { started, test } from './support/fixtures.ts'
import { startMailbox } from './support/mailbox.ts'
import { startReceiver } from './support/receiver.ts'
import { callOperation } from './support/requests.ts'
import { score, scoreRequest, storedScore } from './support/scoring.ts'
import { newOrganization, type TestMember, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

type Summaries = Static<typeof contract.MarketSummaries>
type Firings = contract.AlertRuleFirings
type Preview = contract.AlertRulePreview

const secondsOf = (time: string) => Date.parse(time) / 1000
const size = 10n ** 19n

async function startMarkets(): Promise<TestChain> {
  const chain = await startLocalchain({
    timestamp: secondsOf('2026-01-05T04:00:00Z'),
    blockSeconds: 60,
  })
  const markets = await deployMarkets(chain)
  await markets.mint(-6000, 6000, 10n ** 20n)
  await markets.provide(10n ** 19n, 10n ** 19n)
  for (let swap = 0; swap < 6; swap += 1) await markets.swap(swap % 2 === 0, 10n ** 15n)
  await chain.testClient.setBlockTimestampInterval({ interval: 1 })
  await chain.testClient.setNextBlockTimestamp({
    timestamp: BigInt(secondsOf('2026-01-05T11:50:00Z')),
  })
  await chain.mine(1)
  return { chain, markets }
}

const it = test
  .extend('testChain', { scope: 'file' }, started(startMarkets))
  .extend('receiver', { scope: 'file' }, started(startReceiver))
  .extend('mailbox', { scope: 'file' }, started(startMailbox))
  .extend('settings', { scope: 'file' }, ({ testChain, receiver, mailbox }) => ({
    SMTP_URL: mailbox.url,
    OUTBOUND_ALLOW: hostOf(testChain.chain.rpcUrl, receiver.url),
    ALERT_SWEEP_SECONDS: '0',
  }))
  .extend('runsJobs', { scope: 'file' }, true)
  .extend('watched', { scope: 'file' }, async ({ service, testChain }) => {
    const watched = await watchedMarkets(service, testChain)
    await watched.read()
    return watched
  })
  .extend('channel', { scope: 'file' }, async ({ watched, receiver }) => {
    const target = { kind: 'WEBHOOK', url: `${receiver.url}/team` }
    const { data } = await callOperation<{ id: string }>(watched.owner, 'createAlertChannel', {
      body: { payload: { label: 'Team', target }, reason: 'For the test' },
    })
    return data
  })

const payloadOf = (channelId: string, threshold: object, change: object = {}) => ({
  name: 'Price',
  threshold: { severity: 'CRITICAL', ...threshold },
  forSeconds: 120,
  channels: [channelId],
  repeatSeconds: 3600,
  ...change,
})

const createRule = (by: TestMember, payload: object) =>
  callOperation<{ id: string; resourceVersion: string }>(by, 'createAlertRule', {
    body: { payload, reason: 'For the test' },
  })

const firingsOf = async (by: TestMember, id: string) =>
  (await callOperation<Firings>(by, 'listAlertRuleFirings', { params: { id } })).data
const alertOf = async (by: TestMember, ruleId: string) =>
  (await callOperation<HandledAlert[]>(by, 'listAlertsV2')).data.find(
    ({ id }) => id === `THRESHOLD:${ruleId}`,
  )

/** A swap at a time, a silent stretch after it, and an index job up to its end. */
async function trade(
  { service, testChain, watched }: { service: TestService; testChain: TestChain; watched: Watched },
  at: string,
  zeroForOne: boolean,
  silentMinutes: number,
) {
  const { chain, markets } = testChain
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(secondsOf(at)) })
  await markets.swap(zeroForOne, size)
  await chain.mine(64)
  const end = secondsOf(at) + silentMinutes * 60
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(end) })
  await chain.mine(1)
  service.clock.advance(Math.max(0, (end + 120) * 1000 - service.clock.read()))
  await watched.read()
}

const refOf = ({ id, resourceVersion }: { id: string; resourceVersion: string }) => ({
  id,
  resourceVersion,
})

const priceOf = async ({ owner, pool }: Watched) => {
  const { data } = await callOperation<Static<typeof contract.MarketHistory>>(
    owner,
    'readMarketHistory',
    { query: { venueId: pool.id } as never },
  )
  return BigInt(data.price.close.findLast((close) => close !== null)!)
}

describe('a threshold', () => {
  it('is validated: its metric has data, takes its members, and its subject is watched', async ({
    service,
    watched,
    channel,
  }) => {
    const { owner, pool } = watched
    const subject = { venueId: pool.id }
    const tvl = { metric: 'TVL_QUOTE', subject, comparator: 'LT', value: '1' }
    const [base] = (await callOperation<Summaries>(owner, 'listMarketSummaries')).data.markets
    const refusals: [object, string][] = [
      [{ ...tvl, metric: 'SPREAD_PIPS' }, 'metric'],
      [{ ...tvl, metric: 'KPI_MARGIN_PIPS' }, 'metric'],
      [{ ...tvl, bandPips: 20_000 }, 'bandPips'],
      [{ ...tvl, side: 'BUY' }, 'side'],
      [{ ...tvl, windowSeconds: 300 }, 'windowSeconds'],
      [{ ...tvl, value: '-1' }, 'value'],
      [{ ...tvl, metric: 'DEPTH_QUOTE', bandPips: 20_001 }, 'bandPips'],
      [{ ...tvl, metric: 'VOLUME_QUOTE', windowSeconds: 301 }, 'windowSeconds'],
      [{ ...tvl, metric: 'VOLUME_QUOTE', windowSeconds: 86_460 }, 'windowSeconds'],
      [{ ...tvl, subject: {} }, 'subject.pair'],
      [{ ...tvl, subject: { ...subject, pair: base!.pairKey } }, 'subject.pair'],
      [{ ...tvl, subject: { ...subject, mandateId: 'mandate_1' } }, 'subject.mandateId'],
      [{ ...tvl, subject: { venueId: `venue_${'0'.repeat(32)}` } }, 'subject.venueId'],
      [{ ...tvl, metric: 'SCORE_PIPS', subject }, 'subject.venueId'],
    ]
    for (const [threshold, name] of refusals) {
      const refused = await createRule(owner, payloadOf(channel.id, threshold))
      expect([refused.status, refused.code]).toEqual([422, 'LIQUIDITY_ALERT_THRESHOLD_INVALID'])
      expect(Object.keys(refused.fieldErrors)).toEqual([`payload.threshold.${name}`])
    }
    const other = await newOrganization(service)
    const foreign = await callOperation(other, 'previewAlertRule', {
      body: { threshold: { ...tvl, severity: 'INFO' }, forSeconds: 0 },
    })
    expect(Object.keys(foreign.fieldErrors)).toEqual(['threshold.subject.venueId'])
    const match = { kinds: [], minimumSeverity: 'INFO' }
    for (const change of [{ match }, { threshold: undefined }]) {
      const refused = await createRule(owner, payloadOf(channel.id, tvl, change))
      expect([refused.status, Object.keys(refused.fieldErrors)]).toEqual([400, ['payload.match']])
    }
  })

  it('fires after its time, also without trades, notifies its channel, and resolves', async ({
    service,
    testChain,
    watched,
    channel,
    receiver,
  }) => {
    const { owner, pool } = watched
    const price = await priceOf(watched)
    const subject = { venueId: pool.id }
    const rules = await Promise.all(
      [
        { metric: 'PRICE', comparator: 'LT', value: `${(price * 95n) / 100n}` },
        { metric: 'PRICE', comparator: 'GT', value: `${(price * 105n) / 100n}` },
      ].map(async (threshold) => {
        const made = await createRule(
          owner,
          payloadOf(channel.id, { ...threshold, subject, resolveSeconds: 120 }),
        )
        expect([made.status, made.fieldErrors]).toEqual([201, {}])
        return made.data
      }),
    )
    await sweepAlerts(service.services)
    for (const { id } of rules) {
      expect(await firingsOf(owner, id)).toMatchObject({
        state: 'OK',
        value: `${price}`,
        firings: [],
      })
    }

    // The process ends before the evaluation is stored; the observation is stored already.
    const { committer } = service.services
    const { commit } = committer
    let interrupted = 0
    committer.commit = async (change) => {
      if (change.events.every(({ event }) => event.kind !== 'alert.opened')) {
        return commit.call(committer, change)
      }
      interrupted += 1
      throw new Error('Interrupted for the test')
    }
    await trade({ service, testChain, watched }, '2026-01-05T12:05:00Z', true, 4)
    committer.commit = commit
    expect(interrupted).toBe(1)
    expect(await Promise.all(rules.map(({ id }) => alertOf(owner, id)))).toEqual([
      undefined,
      undefined,
    ])
    await sweepAlerts(service.services)
    const firings = await Promise.all(rules.map(({ id }) => firingsOf(owner, id)))
    const index = firings.findIndex(({ state }) => state === 'FIRING')
    expect(firings[1 - index]!.state).toBe('OK')
    const { id } = rules[index]!
    // The first sample after the swap is 12:06, and the price holds for two silent minutes.
    expect(firings[index]!).toMatchObject({
      since: '2026-01-05T12:08:00.000Z',
      firings: [{ from: '2026-01-05T12:08:00.000Z', to: null, severity: 'CRITICAL' }],
    })
    const { evidence } = firings[index]!.firings[0]!
    const observation = await owner.client.getVenueObservations({ params: { id: evidence.id } })
    expect(observation.body.data.resourceVersion).toBe(evidence.resourceVersion)
    expect(await alertOf(owner, id)).toMatchObject({
      kind: 'THRESHOLD',
      state: 'OPEN',
      severity: 'CRITICAL',
      evidenceHash: evidence.resourceVersion,
      subject: { venueId: pool.id, pair: expect.stringMatching(/^31337\|/) },
    })
    const queued = async () =>
      (
        await service.services.database.pool.query(
          'select kind from alert_messages where alert_id = $1 order by number',
          [`THRESHOLD:${id}`],
        )
      ).rows.map((row: { kind?: string }) => row.kind)
    const isReceived = (kind: string) =>
      until(`the message ${kind}`, async () =>
        receiver.received.find(
          ({ path, body }) => path === '/team' && JSON.parse(body).kind === kind,
        ),
      )
    expect(await queued()).toEqual(['OPEN'])
    await isReceived('OPEN')

    // Nothing is evaluated, published or sent twice, by any number of nodes.
    await Promise.all(
      [1, 2, 3].map(() =>
        commitEvaluation(service.services, owner.organizationId, { kind: 'ALL' }),
      ),
    )
    await sweepAlerts(service.services)
    expect(await queued()).toEqual(['OPEN'])

    const before = await priceOf(watched)
    expect(before).not.toBe(price)
    await trade({ service, testChain, watched }, '2026-01-05T12:20:00Z', false, 4)
    const ended = await firingsOf(owner, id)
    expect(ended.state).toBe('OK')
    expect(ended.firings).toMatchObject([
      { from: '2026-01-05T12:08:00.000Z', to: '2026-01-05T12:23:00.000Z', extreme: `${before}` },
    ])
    expect(await alertOf(owner, id)).toMatchObject({ state: 'RESOLVED' })
    await sweepAlerts(service.services)
    expect(await queued()).toEqual(['OPEN', 'RESOLVED'])
    await isReceived('RESOLVED')
    const { rows } = await service.services.database.pool.query(
      `select body::jsonb ->> 'kind' as kind from events where organization_id = $1
        and subject_id like 'alert\\_0%' order by sequence`,
      [owner.organizationId],
    )
    expect(rows.map((row: { kind?: string }) => row.kind)).toEqual([
      'alert.opened',
      'alert.resolved',
    ])

    const { data } = await callOperation<Preview>(owner, 'previewAlertRule', {
      body: {
        threshold: {
          metric: 'PRICE',
          subject,
          comparator: index === 0 ? 'LT' : 'GT',
          value: `${index === 0 ? (price * 95n) / 100n : (price * 105n) / 100n}`,
          severity: 'INFO',
        },
        forSeconds: 600,
      },
    })
    expect(data.firings).toEqual([
      {
        from: secondsOf('2026-01-05T12:20:00Z'),
        to: null,
        extreme: `${before}`,
      },
    ])
    expect(data.series).toHaveLength(720)

    // Minutes are stored for eight days, and the first window of the preview needs five of them.
    const volume = await callOperation<Preview>(owner, 'previewAlertRule', {
      body: {
        threshold: {
          metric: 'VOLUME_QUOTE',
          subject,
          comparator: 'GT',
          value: '0',
          windowSeconds: 300,
          severity: 'INFO',
        },
        forSeconds: 0,
      },
    })
    const now = Math.floor(service.clock.read() / 1000)
    expect(volume.data.stepSeconds).toBe(60)
    expect(volume.data.from).toBe(Math.ceil((now - 8 * 86_400 + 300) / 60) * 60)
    // The trade at 12:20 is in the windows that end at 12:21 to 12:25.
    expect(volume.data.firings.at(-1)).toMatchObject({
      from: secondsOf('2026-01-05T12:21:00Z'),
      to: null,
    })
  })

  it('keeps its alert open behind many newer firings, and ends it when its rule is paused', async ({
    service,
    watched,
    channel,
  }) => {
    const { owner, pool } = watched
    const tvl = { metric: 'TVL_QUOTE', subject: { venueId: pool.id }, comparator: 'GT', value: '0' }
    const { data } = await createRule(owner, payloadOf(channel.id, tvl, { forSeconds: 0 }))
    await sweepAlerts(service.services)
    await service.services.database.pool.query(
      `insert into alert_firings select organization_id, 'alert_rule_other', from_at + n, from_at + n,
          extreme, severity, title, pair, venue_id, evidence_type, evidence_id, evidence_version
        from alert_firings, generate_series(1, $2::int) as n
        where organization_id = $1 and rule_id = $3`,
      [owner.organizationId, limits.alertsOfSource, data.id],
    )
    expect(await alertOf(owner, data.id)).toMatchObject({ state: 'OPEN' })
    const paused = await callOperation(owner, 'supersedeAlertRule', {
      params: { id: data.id },
      ifMatch: data.resourceVersion,
      body: { status: 'PAUSED', reason: 'For the test' },
    })
    expect(paused.status).toBe(200)
    expect(await firingsOf(owner, data.id)).toMatchObject({
      state: null,
      firings: [{ to: expect.any(String) }],
    })
    expect(await alertOf(owner, data.id)).toMatchObject({ state: 'RESOLVED' })
  })

  it('on a score fires while the score is active, and has no data afterwards', async ({
    service,
    testChain,
    watched,
    channel,
  }) => {
    const { owner, pool } = watched
    const [market] = (await callOperation<Summaries>(owner, 'listMarketSummaries')).data.markets
    const window = { from: '2026-01-05T05:30:00Z', to: '2026-01-05T12:00:00Z' }
    const measured = await score(owner, scoreRequest(testChain, [refOf(pool)], { window }))
    expect(measured.fieldErrors).toEqual({})
    const threshold = {
      metric: 'SCORE_PIPS',
      subject: { pair: market!.pairKey },
      comparator: 'LT',
      value: '1000000',
    }
    const { data } = await createRule(owner, payloadOf(channel.id, threshold, { forSeconds: 0 }))
    await sweepAlerts(service.services)
    expect(await firingsOf(owner, data.id)).toMatchObject({ state: 'NO_DATA', firings: [] })
    const validUntil = new Date(service.clock.read() + 3_600_000).toISOString()
    const payload = { ...measured.data.payload, scorePips: 500_000, validUntil }
    const stored = await storedScore(service, owner, { ...payload, confidencePips: 900_000 })
    service.clock.advance(1000)
    // Another evaluation always commits first: the activation does not depend on it.
    const { committer } = service.services
    const { commit } = committer
    let refused = 0
    committer.commit = async (change) => {
      if (change.statements.every(({ text }) => !text.includes('alert_thresholds'))) {
        return commit.call(committer, change)
      }
      refused += 1
      throw new ConflictError(null, null)
    }
    const activated = await callOperation(owner, 'activateMarketQualityScore', {
      params: { id: stored.id },
      ifMatch: stored.resourceVersion,
      body: { reason: 'For the test' },
    })
    committer.commit = commit
    expect([activated.status, activated.fieldErrors]).toEqual([200, {}])
    expect(refused).toBeGreaterThan(0)
    service.clock.advance(1000)
    await sweepAlerts(service.services)
    expect(await firingsOf(owner, data.id)).toMatchObject({
      state: 'FIRING',
      value: '500000',
      firings: [{ evidence: { resourceType: 'MarketQualityScore' } }],
    })
    service.clock.advance(3_600_000)
    await sweepAlerts(service.services)
    expect(await firingsOf(owner, data.id)).toMatchObject({ state: 'NO_DATA', value: null })
    expect(await alertOf(owner, data.id)).toMatchObject({ state: 'OPEN' })
  })

  it('ends its firing when its last venue leaves', async ({ service, watched, channel }) => {
    const { owner, pool } = watched
    const tvl = { metric: 'TVL_QUOTE', subject: { venueId: pool.id }, comparator: 'GT', value: '0' }
    const { data } = await createRule(owner, payloadOf(channel.id, tvl, { forSeconds: 0 }))
    await sweepAlerts(service.services)
    expect(await alertOf(owner, data.id)).toMatchObject({ state: 'OPEN' })
    const paused = await callOperation(owner, 'supersedeVenues', {
      params: { id: pool.id },
      ifMatch: pool.resourceVersion,
      body: { status: 'PAUSED', reason: 'For the test' },
    })
    expect([paused.status, paused.fieldErrors]).toEqual([200, {}])
    await sweepAlerts(service.services)
    expect(await alertOf(owner, data.id)).toMatchObject({ state: 'RESOLVED' })
    expect(await firingsOf(owner, data.id)).toMatchObject({
      state: null,
      firings: [{ to: expect.any(String) }],
    })
  })
})

describe('a test of a channel', () => {
  const tried = (by: TestMember, id: string) =>
    callOperation<contract.AlertChannelTest>(by, 'testAlertChannel', {
      params: { id },
      body: { reason: 'For the test' },
    })

  it('is delivered, tells of failures, and is limited per channel', async ({
    service,
    receiver,
    mailbox,
  }) => {
    const owner = await newOrganization(service)
    const channelOf = async (target: object) =>
      (
        await callOperation<{ id: string }>(owner, 'createAlertChannel', {
          body: { payload: { label: 'Desk', target }, reason: 'For the test' },
        })
      ).data.id
    const webhook = await channelOf({ kind: 'WEBHOOK', url: `${receiver.url}/secret-path` })
    expect((await tried(owner, webhook)).data).toEqual({
      delivered: true,
      status: 200,
      message: 'The receiver accepted the message with status 200.',
    })
    const [received, ...others] = receiver.received.filter(({ path }) => path === '/secret-path')
    expect([JSON.parse(received!.body), others]).toMatchObject([{ kind: 'TEST' }, []])
    receiver.answer = () => 503
    const failed = await tried(owner, webhook)
    receiver.answer = () => 200
    expect(failed.data).toMatchObject({ delivered: false, status: 503 })
    expect(JSON.stringify(failed.data)).not.toContain('secret-path')
    for (let more = 0; more < 3; more += 1) expect((await tried(owner, webhook)).status).toBe(200)
    expect([(await tried(owner, webhook)).status, (await tried(owner, webhook)).code]).toEqual([
      429,
      'LIQUIDITY_RATE_LIMITED',
    ])

    const address = `team-${owner.organizationId}@example.org`
    const mail = await channelOf({ kind: 'EMAIL', address })
    expect((await tried(owner, mail)).data).toMatchObject({ delivered: true, status: null })
    expect((await mailbox.mailTo(address)).subject).toBe('Test of the alert channel Desk')

    const { config } = service.services
    const { smtpUrl } = config
    config.smtpUrl = null
    const unsent = await tried(owner, mail)
    config.smtpUrl = smtpUrl
    expect(unsent.data).toEqual({
      delivered: false,
      status: null,
      message: 'No mail server is configured. Set SMTP_URL.',
    })
  })

  it('leaves no encrypted target in responses, also for channels of earlier releases', async ({
    service,
    receiver,
  }) => {
    const owner = await newOrganization(service)
    const target = { kind: 'WEBHOOK', url: `${receiver.url}/kept` }
    const made = await callOperation<{ id: string; payload: { target: string } }>(
      owner,
      'createAlertChannel',
      { body: { payload: { label: 'Desk', target }, reason: 'For the test' } },
    )
    expect(JSON.stringify(made.data)).not.toContain('sealed')
    const { database, committer } = service.services
    const [rows = []] = await database.tenant(owner.organizationId, [
      { text: `select sealed from alert_channel_targets where channel_id = '${made.data.id}'` },
    ])
    const payload = {
      label: 'Earlier',
      kind: 'WEBHOOK',
      target: made.data.payload.target,
      sealed: rows[0]!.sealed,
    }
    const { sealed, change } = recordsOf(service, owner).create('AlertChannel', {
      status: 'ACTIVE',
      payload,
      reason: 'For the test',
      event: 'alert_channel.created',
    })
    await committer.commit(change)
    const { id } = sealed.record
    const answers = await Promise.all([
      callOperation(owner, 'getAlertChannel', { params: { id } }),
      callOperation(owner, 'listAlertChannels'),
      callOperation(owner, 'listRecordVersions', { params: { id } }),
    ])
    for (const { status, data } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(data)).toContain('Earlier')
      expect(JSON.stringify(data)).not.toContain('"sealed"')
    }
    const test = await tried(owner, id)
    expect([test.status, test.data]).toMatchObject([200, { delivered: true }])
    expect(receiver.received.filter(({ path }) => path === '/kept')).toHaveLength(1)

    // A node of an earlier release stores a new target in the record, and not in the row.
    const { sealing } = service.services
    const moved = { kind: 'WEBHOOK', url: `${receiver.url}/moved` } as const
    const kept = sealTarget(sealing, owner.organizationId, moved)
    const records = recordsOf(service, owner)
    const current = await records.current<contract.AlertChannel>('AlertChannel', made.data.id)
    const next = channels.next(records, current!, {
      status: 'ACTIVE',
      payload: { ...current!.record.payload, ...kept.payload, sealed: kept.sealed },
      reason: 'For the test',
      event: 'alert_channel.changed',
    })
    await committer.commit(next.change)
    expect((await tried(owner, made.data.id)).data).toMatchObject({ delivered: true })
    expect(receiver.received.filter(({ path }) => path === '/moved')).toHaveLength(1)
  })
})
