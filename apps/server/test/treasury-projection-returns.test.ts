// @module-tag long
// @covers apps/server/src/families/plan/treasury-projections

import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { expect } from 'vitest'
import { input, line, scenario } from '../src/families/plan/treasury-assumptions/testing/sets.ts'
import { daySeconds } from '../src/units.ts'
import { validatedPool } from './support/chain.ts'
import { readDailyCandles } from './support/daily-candles.ts'
import { priceTest } from './support/fixtures.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember } from './support/service.ts'

type Named = { id: string; resourceType: string; resourceVersion: string }
type Projection = VersionedRecord<contract.TreasuryProjection>

const days = 70
const native = 'eip155:31337/slip44:60'
const usd = 'iso4217:USD'
const reason = 'For the test'

const it = priceTest.extend(
  'scene',
  { scope: 'file', auto: true },
  async ({ service, testChain, priceSource, owner }) => {
    const { timestamp } = await testChain.chain.publicClient.getBlock()
    const now = Number(timestamp)
    service.clock.advance(Math.max(0, now * 1000 - service.clock.read()))
    await validatedPool(owner, testChain)
    const [venue] = (await owner.client.listVenues()).body.data
    const { pair } = venue!.payload
    const [quoteKey, token] = [pair.quote, pair.base].map(
      (address) => `eip155:31337/erc20:${address.toLowerCase()}`,
    ) as [string, string]
    const today = Math.floor(now / daySeconds) * daySeconds
    await readDailyCandles(service, owner, {
      source: priceSource,
      feeds: [
        {
          feed: 'native',
          symbol: 'ETH/TOKEN',
          base: native,
          quote: quoteKey,
          since: today - days * daySeconds,
        },
        {
          feed: 'token',
          symbol: 'BASE/TOKEN',
          base: token,
          quote: quoteKey,
          since: today - days * daySeconds,
        },
        {
          // As many decimals as an oracle has, where USD has two.
          feed: 'native-usd',
          symbol: 'ETH/USD',
          base: native,
          quote: usd,
          quoteDecimals: 8,
          since: today - 3 * daySeconds,
        },
      ],
      closeAt: (openAt) => (Math.round(openAt / daySeconds) % 3 === 0 ? '1.031' : '0.997'),
      until: today,
    })
    return { quoteKey, token, now }
  },
)

async function made<T = Named>(owner: TestMember, operation: string, body: object): Promise<T> {
  const response = await callOperation<T>(owner, operation as never, { body: { reason, ...body } })
  expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
  return response.data
}

it('draws paths from the daily returns that a candle feed sealed', async ({
  testChain,
  owner,
  scene: { quoteKey, now },
}) => {
  await made(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: 'Reserve',
      asset: native,
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address: testChain.chain.accounts[0]!.address },
      valuation: { quoteKey, oracleProviderId: 'exchange' },
    },
  })
  const { id, resourceType, resourceVersion } = await made(
    owner,
    'createTreasuryAssumptions',
    input({
      quoteKey,
      startMonth: new Date(now * 1000).toISOString().slice(0, 7),
      horizonMonths: 24,
      scenarios: [scenario()],
      minimumCashQuote: '0',
      lines: [
        line({
          lineId: 'payroll',
          assetKey: quoteKey,
          amount: `${10n ** 23n}`,
          direction: 'OUTFLOW',
          certainty: 'COMMITTED',
          growthAnnualPips: 0,
          schedule: { kind: 'RECURRING', firstAt: '2020-01-28T00:00:00Z', every: 'MONTH' },
        } as never),
      ],
    } as never),
  )
  const projected = async (seed: string) => {
    const body = {
      reason,
      assumptions: { id, resourceType, resourceVersion },
      priceProviderId: 'exchange',
      monteCarlo: { paths: 500, seed },
    }
    const response = await callOperation<{ projection: Projection }>(
      owner,
      'createTreasuryProjection',
      {
        body,
      },
    )
    expect([response.status, response.code, response.fieldErrors]).toEqual([201, '', {}])
    return response.data.projection.payload
  }
  const { monteCarlo, computation } = await projected('7')
  expect(monteCarlo).toMatchObject({ model: 'STUDENT_T4', paths: 500, movingAssets: [native] })
  expect(monteCarlo!.observedDays).toBeGreaterThanOrEqual(days - 2)
  const { p05, p95 } = monteCarlo!.runwayMonthsX3
  expect(Number(p05)).toBeLessThan(Number(p95))
  // Nobody signed for the account, so none of it pays.
  expect(monteCarlo!.controlled).toMatchObject({
    beyondHorizonPips: 0,
    runwayMonthsX3: { p05: 0, p95: 0 },
    unmetByMonthPips: monteCarlo!.unmetByMonthPips.map(() => 1_000_000),
  })

  const again = await projected('7')
  expect(again.monteCarlo).toEqual(monteCarlo)
  expect(again.computation.inputsHash).toBe(computation.inputsHash)
  expect((await projected('8')).monteCarlo).not.toEqual(monteCarlo)
})

it('sells the own token within its share of the volume, at the cost of its impact', async ({
  testChain,
  owner,
  scene: { quoteKey, token, now },
}) => {
  const entry = await made(owner, 'createTreasuryEntries', {
    payload: {
      entryKind: 'ASSET',
      label: 'Own tokens',
      asset: token,
      purpose: 'RUNWAY_RESERVE',
      container: { kind: 'EOA', chainId: 31_337, address: testChain.chain.accounts[0]!.address },
      valuation: { quoteKey, oracleProviderId: 'exchange' },
    },
  })
  const set = await made(
    owner,
    'createTreasuryAssumptions',
    input({
      quoteKey,
      startMonth: new Date(now * 1000).toISOString().slice(0, 7),
      horizonMonths: 12,
      scenarios: [scenario()],
      ownTokenPolicy: { mode: 'SELL', maximumParticipationPips: 100_000 },
      lines: [line({ assetKey: quoteKey, amount: `${10n ** 24n}` })],
    } as never),
  )
  const refOf = ({ id, resourceType, resourceVersion }: Named) => ({
    id,
    resourceType,
    resourceVersion,
  })
  const project = (more: object) =>
    callOperation<{ projection: Projection }>(owner, 'createTreasuryProjection', {
      body: {
        reason,
        assumptions: refOf(set),
        entries: [refOf(entry)],
        priceProviderId: 'exchange',
        ...more,
      },
    })
  const { data: without } = await project({})
  const codesOf = ({ payload }: Projection) => payload.computation.gaps.map(({ code }) => code)
  expect(codesOf(without.projection)).toContain('VOLUME_UNAVAILABLE')
  expect(without.projection.payload.markets).toEqual([])
  expect(without.projection.payload.computation.limitations).toContain('IMPACT_NOT_OBSERVED')
  const soldIn = ({ payload }: Projection) =>
    payload.scenarios[0]!.months.slice(0, 3).map(
      ({ holdings }) => holdings.find(({ assetKey }) => assetKey === token)?.sold ?? '0',
    )
  expect(soldIn(without.projection)).toEqual(['0', '0', '0'])

  const dailyVolume = 10n ** 15n
  const market = { assetKey: token, dailyVolume: `${dailyVolume}`, dailyVolatilityPips: 1 }
  const { data, status } = await project({ markets: [market] })
  const { payload } = data.projection
  expect([status, data.projection.status]).toEqual([201, 'PARTIAL'])
  expect(codesOf(data.projection)).toEqual(
    expect.arrayContaining(['VOLUME_DECLARED', 'DECLARED_NOT_USED', 'OWN_TOKEN_SOLD']),
  )
  expect(codesOf(data.projection)).not.toContain('VOLUME_UNAVAILABLE')
  expect(payload.computation.limitations).not.toContain('IMPACT_NOT_OBSERVED')
  // The volatility is that of the candles, not the declared one.
  expect(payload.markets).toMatchObject([
    { assetKey: token, volumeSource: 'DECLARED', volatilitySource: 'OBSERVED', observedDays: 0 },
  ])
  const sigma = payload.markets![0]!.dailyVolatilityPips
  expect(sigma).toBeGreaterThan(10_000)
  // A tenth of the volume of thirty days.
  const most = 3n * dailyVolume
  expect(soldIn(data.projection)).toEqual([`${most}`, `${most}`, `${most}`])
  const [month] = payload.scenarios[0]!.months
  const price = Number(
    payload.computation.prices.find(({ assetKey }) => assetKey === token)!.priceX36,
  )
  const kept = 1 - Math.ceil(sigma * Math.sqrt(0.1)) / 1e6
  const { received } = month!.holdings.find(({ assetKey }) => assetKey === quoteKey)!
  expect(Number(received) / ((Number(most) * price * kept) / 1e36)).toBeCloseTo(1, 9)

  for (const assetKey of [quoteKey, usd]) {
    const refused = await project({ markets: [{ ...market, assetKey }] })
    expect([refused.status, Object.keys(refused.fieldErrors)]).toEqual([
      400,
      ['markets.0.assetKey'],
    ])
  }
  const twice = await project({ markets: [market, market] })
  expect([twice.status, Object.keys(twice.fieldErrors)]).toEqual([400, ['markets.1.assetKey']])
})

it('values a holding in cents from a feed in dollars with eight decimals', async ({
  testChain,
  owner,
}) => {
  const { payload } = await made<VersionedRecord<contract.TreasuryHolding>>(
    owner,
    'createTreasuryEntries',
    {
      payload: {
        entryKind: 'ASSET',
        label: 'Coins',
        asset: native,
        purpose: 'OPERATING',
        container: { kind: 'EOA', chainId: 31_337, address: testChain.chain.accounts[5]!.address },
        valuation: { quoteKey: usd, oracleProviderId: 'exchange' },
      },
    },
  )
  const atoms = BigInt(payload.observed!.quantity)
  const [price] = payload.computation.prices
  // A coin costs 0.997 or 1.031 dollars.
  const cents = [997n, 1_031n].map((thousandths) => (atoms * thousandths) / 10n ** 19n)
  expect(cents.map(String)).toContain(payload.value?.amount)
  expect(price).toMatchObject({ assetKey: native, quoteKey: usd })
})
