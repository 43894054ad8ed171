// @module-tag long
// @covers apps/server/src/families/simulate/studies apps/server/src/families/intelligence/price-series

import { expect } from 'vitest'
import { queueDue } from '../src/jobs/schedules.ts'
import { startWorkers } from '../src/service.ts'
import { daySeconds } from '../src/units.ts'
import { priceTest } from './support/fixtures.ts'
import { observedVenue } from './support/observed-venue.ts'
import { candlesOf, type PriceSource } from './support/price-source.ts'
import type { TestMember, TestService } from './support/service.ts'
import { type Spec, study } from './support/studying.ts'
import { until } from './support/until.ts'

const it = priceTest.extend('scene', { scope: 'file' }, async ({ service, testChain, owner }) => {
  const venue = await observedVenue(service, owner, testChain)
  const [observation] = (await owner.client.listVenueObservations()).body.data
  const { id, resourceVersion, payload } = observation!
  const spec = {
    schemaVersion: 'simulation-study-v1',
    name: 'Against a price outside',
    kind: 'REPLAY',
    pair: venue.pair,
    market: { venue: venue.venue },
    observations: [{ id, resourceVersion }],
    window: { fromBlock: payload.range.from.number, toBlock: payload.range.to.number },
    arms: [{ armId: 'all', label: 'All', position: { kind: 'FULL_RANGE' } }],
    capital: { base: `${10n ** 17n}`, quote: `${10n ** 17n}`, normalization: 'EQUAL_VALUE' },
    tradeSizesQuote: [`${10n ** 15n}`],
    sampleSeconds: 60,
  } as Spec
  return { venue, spec }
})

const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`

/** A series of closes of one price, sealed for the days on which the chain was used. */
async function seriesOf(
  service: TestService,
  priceSource: PriceSource,
  owner: TestMember,
  feed: string,
  assets: { base: string; quote: string },
  close: string,
) {
  const now = Math.floor(service.clock.read() / 1000)
  priceSource.answer = ({ searchParams }) =>
    candlesOf(searchParams, { grid: 300, now, closeAt: () => close })
  const since = new Date((Math.floor(now / daySeconds) - 5) * daySeconds * 1000).toISOString()
  await owner.client.putOperatingSystemProvider({
    body: {
      payload: {
        providerId: feed,
        kind: 'MARKET_DATA',
        displayName: feed,
        endpoint: priceSource.url,
        configuration: {
          shape: 'CCXT',
          feeds: [
            {
              feed,
              kind: 'CANDLE',
              exchange: 'kraken',
              symbol: feed,
              timeframe: '5m',
              since,
              ...assets,
              baseDecimals: 18,
              quoteDecimals: 18,
            },
          ],
        },
      },
      reason: 'For the test',
    },
  })
  service.clock.advance(400_000)
  await queueDue(service.services)
  const workers = await startWorkers(service.services)
  const found = await until('the days are sealed', async () => {
    const jobs = (await owner.client.listOperatingSystemJobs()).body.data
    const isDone = jobs.every(({ finishedAt }) => finishedAt)
    const all = (await owner.client.listPriceSeries()).body.data
    return isDone ? all.find(({ payload }) => payload.feed === feed && payload.segment) : null
  })
  await workers.stop()
  return { id: found.id, resourceVersion: found.resourceVersion }
}

it('values a replay at the prices of a series that it names, and says so', async ({
  service,
  priceSource,
  owner,
  scene: { venue, spec },
}) => {
  const { base, quote } = venue.pair
  const series = await seriesOf(
    service,
    priceSource,
    owner,
    'base-quote',
    { base: keyOf(base), quote: keyOf(quote) },
    '1.5',
  )
  const response = await study(owner, { ...spec, reference: { kind: 'SERIES', series } })
  expect(response).toMatchObject({ status: 201, data: { status: 'COMPLETED' } })
  const { result } = response.data.payload
  expect([result.startPriceX18, result.endPriceX18]).toEqual([
    '1500000000000000000',
    '1500000000000000000',
  ])
  expect(result.evidence.inputs).toContainEqual({ name: 'reference', hash: series.resourceVersion })
  expect(result.evidence.assumptions).toContainEqual({
    code: 'REFERENCE_PRICE',
    value: 'CANDLE base-quote:kraken:base-quote',
    source: 'DECLARED',
  })
  const inside = await study(owner, spec)
  expect(inside.data.payload.result.endPriceX18).not.toBe(result.endPriceX18)

  // Both in a third asset say the same as the pair itself.
  const a = await seriesOf(
    service,
    priceSource,
    owner,
    'base-usd',
    { base: keyOf(base), quote: 'iso4217:USD' },
    '3',
  )
  const b = await seriesOf(
    service,
    priceSource,
    owner,
    'quote-usd',
    { base: keyOf(quote), quote: 'iso4217:USD' },
    '2',
  )
  const crossed = await study(owner, { ...spec, reference: { kind: 'SERIES', series: a, over: b } })
  expect(crossed.data.payload.result.arms).toEqual(result.arms)

  const refused = await study(owner, { ...spec, reference: { kind: 'SERIES', series: a } })
  expect(refused).toMatchObject({ status: 422, code: 'LIQUIDITY_STUDY_REFERENCE_REQUIRED' })
  expect(refused.fieldErrors['payload.reference.series']![0]).toContain('iso4217:USD')
  const unknown = { ...series, resourceVersion: `0x${'1'.repeat(64)}` }
  expect(
    await study(owner, { ...spec, reference: { kind: 'SERIES', series: unknown } }),
  ).toMatchObject({ status: 404 })
})
