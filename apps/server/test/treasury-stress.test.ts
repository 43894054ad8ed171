// @module-tag long
// @covers apps/server/src/families/simulate/treasury-stress-tests

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { weth9Abi } from '@liquidity-os/localchain'
import { encodeFunctionData } from 'viem'
import { describe, expect } from 'vitest'
import { textOf } from '../src/store/database/row.ts'
import { sql } from '../src/store/database/sql.ts'
import { daySeconds } from '../src/units.ts'
import { verifyHistory } from '../src/whole-history.ts'
import { poolBody, type TestChain } from './support/chain.ts'
import { readDailyCandles } from './support/daily-candles.ts'
import { priceTest } from './support/fixtures.ts'
import { observedVenue } from './support/observed-venue.ts'
import type { PriceSource } from './support/price-source.ts'
import { callOperation } from './support/requests.ts'
import { newMember, newOrganization, type TestMember, type TestService } from './support/service.ts'

type Study = VersionedRecord<contract.TreasuryStressStudy>
type Named = { id: string; resourceType: string; resourceVersion: string }

const native = 'eip155:31337/slip44:60'
const e18 = 10n ** 18n
const reason = 'For the test'
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const refOf = ({ id, resourceType, resourceVersion }: Named) => ({
  id,
  resourceType,
  resourceVersion,
})
const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString()
const accountOf = (testChain: TestChain, index: number) => testChain.chain.accounts[index]!.address
let begin = 0

const it = priceTest.extend(
  'scene',
  { scope: 'file' },
  async ({ service, testChain, priceSource, owner }) => {
    const { timestamp } = await testChain.chain.publicClient.getBlock()
    service.clock.advance(Math.max(0, Number(timestamp) * 1000 - service.clock.read()))
    const observed = await observedVenue(service, owner, testChain)
    const quoteKey = keyOf(observed.pair.quote)
    const token = keyOf(observed.pair.base)
    await prices(service, testChain, priceSource, owner, quoteKey, token, Number(timestamp))
    return { observed, quoteKey, token }
  },
)

/** Six weeks of the native coin at about one of the quote, one of them a crash. */
async function prices(
  service: TestService,
  testChain: TestChain,
  priceSource: PriceSource,
  owner: TestMember,
  quoteKey: string,
  token: string,
  at: number,
) {
  const today = Math.floor(at / daySeconds) * daySeconds
  begin = today - 45 * daySeconds
  const crash = begin + 20 * daySeconds
  await readDailyCandles(service, owner, {
    source: priceSource,
    feeds: [
      { feed: 'native', symbol: 'ETH/TOKEN', since: begin, base: native, quote: quoteKey },
      {
        feed: 'token',
        symbol: 'BASE/TOKEN',
        since: today - 20 * daySeconds,
        base: token,
        quote: quoteKey,
      },
      {
        feed: 'wrapped',
        symbol: 'WETH/TOKEN',
        since: today - 2 * daySeconds,
        base: keyOf(testChain.chain.contracts.weth9),
        quote: quoteKey,
      },
    ],
    closeAt: (openAt) => {
      const swing = Math.round(openAt / daySeconds) % 2 === 0 ? 1 : 1.02
      return (swing * (openAt < crash ? 2 : 1)).toFixed(4)
    },
    until: today,
  })
}

async function made<T>(owner: TestMember, operation: string, body: object): Promise<T> {
  const response = await callOperation<T>(owner, operation as never, { body: { reason, ...body } })
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

const holding = (
  testChain: TestChain,
  owner: TestMember,
  quoteKey: string,
  asset: string,
  index: number,
  more: object = {},
) =>
  made<Named>(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: 'Reserve',
      asset,
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address: accountOf(testChain, index) },
      valuation: { quoteKey, oracleProviderId: 'exchange' },
      ...more,
    },
  })

const stress = (owner: TestMember, quoteKey: string, payload: object, by = owner) =>
  callOperation<Study>(by, 'createTreasuryStressTests', {
    body: {
      payload: { label: 'Test', portfolio: { scope: 'ALL_ACTIVE' }, quoteKey, ...payload },
      reason,
    },
  })

async function refused(owner: TestMember, quoteKey: string, payload: object) {
  const { status, code, fieldErrors } = await stress(owner, quoteKey, payload)
  return [status, code, Object.keys(fieldErrors)]
}

const market = (asset: string, dailyVolume: bigint, dailyVolatilityPips = 30_000) => ({
  assetKey: asset,
  dailyVolume: `${dailyVolume}`,
  dailyVolatilityPips,
})
const crash = (scenarioId: string, movePips: number) => ({
  scenarioId,
  label: 'Native down',
  legs: [{ kind: 'PRICE', asset: native, movePips }],
})

describe('a stress test', () => {
  it('of nothing abstains; without a question it is refused', async ({
    owner,
    scene: { quoteKey },
  }) => {
    const { status, data } = await stress(owner, quoteKey, { templates: ['CRASH_HALF'] })
    expect([status, data.status, data.payload.before, data.payload.scenarios]).toEqual([
      ...[201, 'ABSTAINED', null, []],
    ])
    expect(data.id).toMatch(/^treasury_stress_[a-f0-9]{32}$/)
    expect(await refused(owner, quoteKey, {})).toEqual([
      ...[422, 'LIQUIDITY_STRESS_SCENARIO_EMPTY', ['payload.scenarios']],
    ])
  })

  it('sells at the price of the volume law, exact by driver, and finds covenant breaches', async ({
    service,
    testChain,
    owner,
    scene: { quoteKey },
  }) => {
    const balance = await testChain.chain.publicClient.getBalance({
      address: accountOf(testChain, 5),
    })
    const entry = await holding(testChain, owner, quoteKey, native, 5)
    const cash = await holding(testChain, owner, quoteKey, quoteKey, 4, {
      allocation: { kind: 'WHOLE' },
    })
    const request = {
      markets: [market(native, balance)],
      scenarios: [crash('halved', -500_000)],
      limits: [{ metric: 'REALISABLE_QUOTE', threshold: `${(balance * 9n) / 10n}` }],
      reverse: [
        { metric: 'REALISABLE_QUOTE', threshold: `${(balance * 8n) / 10n}`, scenarioId: 'halved' },
      ],
    }
    const { status, data, fieldErrors } = await stress(owner, quoteKey, request)
    expect([status, fieldErrors]).toEqual([201, {}])
    const { before, scenarios, markets, reverse, computation, executions } = data.payload
    const price = computation.prices.find(({ assetKey }) => assetKey === native)!.priceX36
    const mark = (balance * BigInt(price)) / 10n ** 36n
    expect(before!.counted.beforeQuote).toBe(`${mark}`)
    // A thirtieth of a volume each day: σ·√(1/30), and no pool.
    const sigma = markets.find(({ assetKey }) => assetKey === native)!.dailyVolatilityPips! / 1e6
    const kept = 1 - sigma * Math.sqrt(1 / 30)
    expect(Number(before!.counted.realisableQuote) / Number(mark)).toBeCloseTo(kept, 5)
    const [halved] = scenarios
    expect(Number(halved!.counted.realisableQuote) / Number(mark)).toBeCloseTo(kept / 2, 5)
    const losses = halved!.drivers.reduce((sum, { lossQuote }) => sum + BigInt(lossQuote), 0n)
    expect(`${losses}`).toBe(halved!.counted.lossQuote)
    expect(halved!.drivers.map(({ subject }) => subject)).toEqual(['0 PRICE', 'IMPACT', 'UNSOLD'])
    expect([before!.breaches, halved!.breaches.map(({ metric }) => metric)]).toEqual([
      ...[[], ['REALISABLE_QUOTE']],
    ])
    // What is left is 0.8 of the balance at 1 − severity/2.
    const share = (0.8 * Number(balance)) / (Number(mark) * kept)
    expect(reverse[0]).toMatchObject({ reached: true })
    expect(reverse[0]!.severityX6 / 1e6).toBeCloseTo(2 * (1 - share), 3)
    expect(BigInt(reverse[0]!.value!)).toBeLessThan((balance * 8n) / 10n)
    expect(executions).toMatchObject([{ assetKey: native, kappaX6: 200_000, days: 30 }])
    expect(computation.gaps.map(({ code }) => code)).toEqual([
      'CONTROL_UNPROVEN',
      'VOLUME_DECLARED',
      'DECLARED_NOT_USED',
    ])
    expect(computation).toMatchObject({
      completeness: 'PARTIAL',
      sources: [refOf(entry), refOf(cash)],
    })
    const [rows = []] = await service.database.tenant(owner.organizationId, [
      sql`select body::jsonb ->> 'kind' as kind from events where subject_id = ${data.id}`,
    ])
    const kinds = rows.map((row) => textOf(row, 'kind'))
    // Nobody signed for the accounts, so controlled holdings break the limit before the shock too.
    const [computed, breached] = ['treasury.stress.computed', 'treasury.stress.limit_breached']
    expect(kinds.toSorted()).toEqual([computed, breached, breached])
    const again = await stress(owner, quoteKey, request)
    expect(again.data.artifactHash).toBe(data.artifactHash)
  })

  it('counts the loss of a wrapped coin that a venue has as its base', async ({
    testChain,
    owner,
    scene: { quoteKey },
  }) => {
    const { weth9 } = testChain.chain.contracts
    const data = encodeFunctionData({ abi: weth9Abi, functionName: 'deposit' })
    await testChain.chain.send({
      from: accountOf(testChain, 8),
      to: weth9,
      value: 100n * e18,
      data,
    })
    await testChain.chain.mine(3)
    const { pair } = poolBody(testChain).payload
    const body = poolBody(testChain, { pair: { ...pair, base: weth9 }, address: weth9 })
    expect((await callOperation(owner, 'createVenues', { body })).status).toBe(201)
    const entry = await holding(testChain, owner, quoteKey, keyOf(weth9), 8)
    const response = await stress(owner, quoteKey, {
      portfolio: { entries: [refOf(entry)] },
      templates: ['CRASH_HALF'],
      markets: [market(keyOf(weth9), 1000n * e18)],
    })
    const { holdings, before, scenarios } = response.data.payload
    expect(holdings.map(({ assetKey, tier }) => [assetKey, tier])).toEqual([[keyOf(weth9), 'T2']])
    const [crashed] = scenarios
    // Half of its price at least, and what the sale costs.
    expect(BigInt(before!.counted.markQuote)).toBeGreaterThan(50n * e18)
    expect(2n * BigInt(crashed!.counted.lossQuote)).toBeGreaterThanOrEqual(
      BigInt(before!.counted.markQuote),
    )
    expect(before!.ownToken.markQuote).toBe('0')
    const retired = await callOperation(owner, 'retireTreasuryLedgerEntry', {
      params: { id: entry.id },
      ifMatch: entry.resourceVersion,
      body: { reason, disposition: 'MOVED' },
    })
    expect(retired.status).toBe(200)
  })

  it('sells the own token through its pool where it counts, and at more once depth has left', async ({
    testChain,
    owner,
    scene: { observed, quoteKey, token },
  }) => {
    await holding(testChain, owner, quoteKey, token, 0, {
      restrictions: [{ kind: 'LEGAL', quantity: `${10n ** 29n}` }],
    })
    const depth = { kind: 'DEPTH_WITHDRAWAL', removePips: 900_000, venueIds: [observed.venue.id] }
    const thin = { scenarioId: 'thin', label: 'Depth leaves', legs: [depth] }
    const request = { scenarios: [thin], markets: [market(native, e18)] }
    const counted = (await stress(owner, quoteKey, { ...request, ownToken: 'COUNTED' })).data
      .payload
    const apart = (await stress(owner, quoteKey, request)).data.payload
    const [calm, left] = [counted.before!, counted.scenarios[0]!]
    expect(BigInt(left.depths[0]!.depthQuote) * 10n).toBeLessThanOrEqual(
      BigInt(calm.depths[0]!.depthQuote) + 10n,
    )
    expect(BigInt(left.counted.realisableQuote)).toBeLessThan(BigInt(calm.counted.realisableQuote))
    expect(calm.unsold).toMatchObject([
      { assetKey: native, cause: 'UNSOLD' },
      // Nobody observed a volume, so the pool is sold into once, and takes only so much.
      { assetKey: token, cause: 'UNSOLD' },
      { assetKey: token, cause: 'LOCKED', quantity: `${10n ** 29n}` },
    ])
    expect(counted.computation.limitations).toContain('OWN_TOKEN_COUNTED')
    expect(BigInt(apart.before!.ownToken.markQuote)).toBe(
      BigInt(calm.counted.markQuote) - BigInt(apart.before!.counted.markQuote),
    )
    expect(counted.markets.find(({ assetKey }) => assetKey === token)).toMatchObject({
      volumeSource: 'NONE',
      venues: [{ venueId: observed.venue.id }],
    })
  })

  it('follows the market of a past window, and names an unobserved window', async ({
    owner,
    scene: { quoteKey },
  }) => {
    const crashed = begin + 20 * daySeconds
    const historical = (from: number, to: number) => ({
      scenarioId: 'then',
      label: 'As then',
      legs: [{ kind: 'HISTORICAL', from: dayOf(from), to: dayOf(to) }],
    })
    const { data } = await stress(owner, quoteKey, {
      markets: [market(native, 10n ** 30n)],
      scenarios: [historical(crashed - daySeconds, crashed + 3 * daySeconds)],
    })
    const [then] = data.payload.scenarios
    const [step] = then!.drivers
    expect(step!.subject).toBe('0 HISTORICAL')
    // The price halves within the window, but for the two per cent of every other day.
    expect(Number(step!.lossQuote) / Number(then!.counted.beforeQuote)).toBeCloseTo(0.5, 1)
    const at = ['payload.scenarios.0.legs.0.from']
    // Neither of its ends was seen, or only the last one.
    for (const end of [begin - 80 * daySeconds, crashed]) {
      expect(
        await refused(owner, quoteKey, { scenarios: [historical(begin - 90 * daySeconds, end)] }),
      ).toEqual([...[422, 'LIQUIDITY_STRESS_WINDOW_UNOBSERVED', at]])
    }
  })

  it("simulates losses in the caller's blocks, and is PARTIAL for it", async ({
    owner,
    scene: { quoteKey, token },
  }) => {
    const returnsPips = Array.from({ length: 300 }, (_, day) => ((day * 7919) % 401) * 100 - 20_000)
    const from = dayOf(begin - 400 * daySeconds)
    const supplied = [{ assetKey: token, from, returnsPips }]
    const request = { ownToken: 'COUNTED', seed: '42', monteCarlo: { paths: 1000 } }
    const own = (await stress(owner, quoteKey, { ...request, returns: { supplied } })).data.payload
    // The native coin has other and fewer days, and on no day have both: it shortens nobody's history, and keeps its price.
    expect(own.monteCarlo).toMatchObject({ factors: [token], observedDays: 300, still: [native] })
    expect(own.computation.gaps).toContainEqual(
      expect.objectContaining({ code: 'PRICE_HELD_IN_PATHS', subject: native }),
    )
    const entries = (await owner.client.listTreasuryEntries()).body.data.filter(
      ({ payload }) => payload.asset === token,
    )
    const portfolio = { entries: entries.map((entry) => refOf(entry as unknown as Named)) }
    const alone = await stress(owner, quoteKey, { ...request, portfolio, returns: { supplied } })
    const { monteCarlo, returns, computation } = alone.data.payload
    expect(monteCarlo).toMatchObject({
      model: 'BOOTSTRAP',
      paths: 1000,
      observedDays: 300,
      factors: [token],
    })
    expect(Number(monteCarlo!.expectedShortfallQuote)).toBeGreaterThan(
      Number(monteCarlo!.quantiles.p95),
    )
    // Nobody signed for an account: what controlled holdings lose is nothing, and all of it is asserted.
    const nothing = { expectedShortfallQuote: '0', quantiles: { p50: '0', p99: '0' } }
    expect(monteCarlo!.controlled).toMatchObject(nothing)
    const { latest } = (await callOperation<contract.TreasurySummary>(owner, 'getTreasurySummary'))
      .data
    expect(latest.stress).toMatchObject({ controlledExpectedShortfallQuote: '0' })
    expect(Number(latest.stress.expectedShortfallQuote)).toBeGreaterThan(0)
    expect(monteCarlo!.horizons.map(({ horizonDays }) => horizonDays)).toEqual([10, 60, 120])
    expect(monteCarlo!.histogram.counts.reduce((sum, one) => sum + one, 0)).toBe(1000)
    expect(returns).toMatchObject({
      series: [{ source: 'CALLER_SUPPLIED', of: returns.supplied[0]!.vectorHash }],
      supplied: [{ assetKey: token, isUsed: true }],
    })
    expect(alone.data.status).toBe('PARTIAL')
    expect(computation.gaps.map(({ code }) => code)).toContain('CALLER_SUPPLIED')
    expect(computation.seed).toBe('42')
    // Of the native coin the store has enough, so a vector of it is told and not used.
    const known = [{ assetKey: native, from, returnsPips }]
    const other = (await stress(owner, quoteKey, { ...request, returns: { supplied: known } })).data
      .payload
    expect(other.returns.supplied).toMatchObject([{ assetKey: native, isUsed: false }])
    expect(other.monteCarlo).toMatchObject({ model: 'STUDENT_T4', still: [token] })
    expect(other.computation.limitations).toContain('FEW_RETURN_DAYS')
  })

  it('pays obligations and expected flows, earlier if a scenario says so', async ({
    service,
    owner,
    scene: { quoteKey },
  }) => {
    const debt = (reference: string, at: string, amount: bigint) =>
      made<Named>(owner, 'createTreasuryEntries', {
        payload: {
          entryKind: 'OBLIGATION',
          label: reference,
          asset: quoteKey,
          purpose: 'GRANTS',
          obligation: {
            obligationKind: 'GRANT',
            counterparty: 'Grantee',
            reference,
            amount: `${amount}`,
            certainty: 'EXPECTED',
            schedule: { kind: 'ONE_OFF', at },
          },
        },
      })
    const now = service.clock.read() / 1000
    await debt('soon', '2026-01-10T00:00:00Z', 100n * e18)
    await debt('later', dayOf(now + 200 * daySeconds).replace('.000', ''), 300n * e18)
    const sooner = {
      scenarioId: 'sooner',
      label: 'Grants are called',
      legs: [{ kind: 'OBLIGATION_ACCELERATION', obligationKinds: ['GRANT'], toDays: 10 }],
    }
    const { flows, before, scenarios } = (
      await stress(owner, quoteKey, { scenarios: [sooner], markets: [market(native, 10n ** 30n)] })
    ).data.payload
    expect(flows).toEqual({
      dueQuote: `${100n * e18}`,
      laterQuote: `${300n * e18}`,
      inflowQuote: '0',
    })
    expect(before!.coverage.netOutflowQuote).toBe(`${100n * e18}`)
    expect(scenarios[0]!.coverage.netOutflowQuote).toBe(`${400n * e18}`)
    expect(BigInt(before!.runwayMonthsX3!) / 4n).toBe(BigInt(scenarios[0]!.runwayMonthsX3!))
  })
})

describe('a request', () => {
  it('a contradictory or unknown member is rejected by field', async ({
    testChain,
    owner,
    scene: { quoteKey },
  }) => {
    const invalid = 'LIQUIDITY_STRESS_REQUEST_INVALID'
    const one = (leg: object) => ({ scenarios: [{ scenarioId: 'one', label: 'One', legs: [leg] }] })
    const at = 'payload.scenarios.0.legs.0'
    const cases: [payload: object, code: string, field: string][] = [
      [one({ kind: 'PRICE', asset: quoteKey, movePips: -1 }), invalid, `${at}.asset`],
      [
        one({ kind: 'HISTORICAL', from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }),
        ...([invalid, `${at}.to`] as const),
      ],
      [
        one({ kind: 'FREEZE', containers: ['custodian:nobody'], days: 3 }),
        invalid,
        `${at}.containers`,
      ],
      [
        one({ kind: 'DEPTH_WITHDRAWAL', venueIds: ['venue_none'], removePips: 1 }),
        ...([invalid, `${at}.venueIds`] as const),
      ],
      [
        {
          ...one({ kind: 'PRICE', tier: 'T2', movePips: -1 }),
          reverse: [{ metric: 'COVERAGE_PIPS', threshold: '1', scenarioId: 'two' }],
        },
        ...([invalid, 'payload.reverse.0.scenarioId'] as const),
      ],
      [
        { templates: ['CRASH_HALF'], markets: [market(keyOf(accountOf(testChain, 0)), 1n)] },
        ...([invalid, 'payload.markets.0.assetKey'] as const),
      ],
      [
        { templates: ['CRASH_HALF'], markets: [market(native, 1n), market(native, 1n)] },
        ...([invalid, 'payload.markets.1.assetKey'] as const),
      ],
      [
        {
          templates: ['CRASH_HALF'],
          returns: {
            supplied: [
              {
                assetKey: native,
                from: '2126-01-01T00:00:00Z',
                returnsPips: new Array(30).fill(0),
              },
            ],
          },
        },
        ...([invalid, 'payload.returns.supplied.0.returnsPips'] as const),
      ],
      [
        one({ kind: 'DEPEG', asset: 'iso4217:USD', pricePips: 1, days: 1, recoveryPips: 1 }),
        ...(['LIQUIDITY_STRESS_SCENARIO_EMPTY', 'payload.scenarios.0.legs'] as const),
      ],
      [
        { scenarios: [crash('crash-half', -1)], templates: ['CRASH_HALF'] },
        ...(['LIQUIDITY_STRESS_DUPLICATE_SCENARIO', 'payload.templates.0'] as const),
      ],
    ]
    for (const [payload, code, field] of cases) {
      expect(await refused(owner, quoteKey, payload)).toEqual([422, code, [field]])
    }
  })

  it('names exact versions, of this organization, and only who prepares may ask', async ({
    service,
    owner,
    scene: { quoteKey },
  }) => {
    const [entry] = (await owner.client.listTreasuryEntries()).body.data
    const ref = refOf(entry as unknown as Named)
    const older = { ...ref, resourceVersion: `0x${'1'.repeat(64)}` }
    const templates = ['CRASH_HALF']
    expect(await refused(owner, quoteKey, { templates, portfolio: { entries: [older] } })).toEqual([
      ...[412, 'LIQUIDITY_SOURCE_VERSION_CHANGED', ['payload.portfolio.entries.0']],
    ])
    expect(await refused(owner, quoteKey, { templates, assumptions: ref })).toEqual([
      ...[422, 'LIQUIDITY_STRESS_REQUEST_INVALID', ['payload.assumptions.resourceType']],
    ])
    const foreignOwner = await newOrganization(service)
    const foreign = await stress(
      owner,
      quoteKey,
      { templates, portfolio: { entries: [ref] } },
      foreignOwner,
    )
    expect([foreign.status, foreign.code]).toEqual([404, 'LIQUIDITY_SOURCE_UNAVAILABLE'])
    const viewer = await newMember(service, owner.organizationId, 'VIEWER')
    expect((await stress(owner, quoteKey, { templates }, viewer)).status).toBe(403)
    const { database, services } = service
    const report = await verifyHistory(database, owner.organizationId, services.artifacts)
    expect(report.faults).toEqual([])
  })
})
