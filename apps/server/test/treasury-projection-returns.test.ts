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
    const quoteKey = `eip155:31337/erc20:${venue!.payload.pair.quote.toLowerCase()}`
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
    return { quoteKey, now }
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
