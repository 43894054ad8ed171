import type { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { describe, expect } from 'vitest'
import { contentHashOf } from '../src/store/artifacts/content-hash.ts'
import { hourSeconds } from '../src/units.ts'
import { recordsOf } from './support/admissible.ts'
import { chainTest } from './support/fixtures.ts'
import { definitionFor, type ObservedVenue, observedVenue } from './support/observed-venue.ts'
import { callOperation } from './support/requests.ts'
import type { TestMember, TestService } from './support/service.ts'

type Observation = VersionedRecord<Static<typeof contract.VenueObservation>>
type Compilation = Static<typeof contract.StrategyCompilation>

const it = chainTest
  .extend('observed', { scope: 'file' }, ({ service, testChain, owner }) =>
    observedVenue(service, owner, testChain),
  )
  .extend(
    'observation',
    { scope: 'file' },
    async ({ owner }) =>
      (await callOperation<Observation[]>(owner, 'listVenueObservations')).data[0]!,
  )

const one = 10n ** 18n

type Payload = Observation['payload']
type Artifact = { contentHash: string; mediaType: string; content: Uint8Array }

/** The newest observation of the venue: the real one again, with what a test changes of it. */
async function observe(
  service: TestService,
  owner: TestMember,
  observation: Observation,
  change: Partial<Payload> = {},
  artifacts: Artifact[] = [],
): Promise<void> {
  const { sealed, change: written } = recordsOf(service, owner).create('VenueObservation', {
    status: 'COMPLETED',
    payload: { ...observation.payload, ...change },
    reason: 'For the test',
    event: 'venue_observation.test',
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { id, resourceType, resourceVersion }
  const produced = artifacts.map((artifact) => ({ ...artifact, producer }))
  await service.services.committer.commit({ ...written, artifacts: produced })
}

/** Two hundred hours of prices, which go up and down by one step, and of fees. */
async function observeHours(
  service: TestService,
  owner: TestMember,
  observation: Observation,
  { step, feesQuote }: { step: number; feesQuote: bigint },
) {
  const { range, metrics } = observation.payload
  const end = Date.parse(range.to.timestamp)
  const timestamp = new Date(end - 200 * hourSeconds * 1000).toISOString()
  const samples = Array.from({ length: 200 }, (_, index) => ({
    at: end / 1000 - (200 - index) * hourSeconds,
    events: 0,
    midX18: `${index % 2 === 0 ? one : one + BigInt(Math.round(step * 1e6)) * 10n ** 12n}`,
  }))
  const content = Buffer.from(JSON.stringify(samples))
  const contentHash = contentHashOf(content)
  await observe(
    service,
    owner,
    observation,
    {
      range: { ...range, from: { ...range.from, timestamp } },
      samples: { cadenceSeconds: hourSeconds, count: samples.length, artifactHash: contentHash },
      metrics: { ...metrics, feesQuote: `${feesQuote}` },
    },
    [{ contentHash, mediaType: 'application/json', content }],
  )
}

async function compiled(
  owner: TestMember,
  observed: ObservedVenue,
  change: Record<string, unknown> = {},
): Promise<Compilation> {
  const body = { payload: definitionFor(observed, change), reason: 'For the test' }
  const { data } = await callOperation<{ compilation: Compilation }>(owner, 'createStrategies', {
    body,
  })
  return data.compilation
}

const position = (template: object) => [{ positionId: 'core', weightPips: 1_000_000, template }]
/** As wide as one standard deviation of a day to each side. */
const scaled = position({
  kind: 'VOL_SCALED',
  kMilli: 1000,
  horizonSeconds: 86_400,
  volWindowSeconds: 604_800,
})
const codesOf = ({ warnings }: Compilation) => warnings.map(({ code }) => code)

describe('a compilation', () => {
  it('of a short observation says that the volatility is not known', async ({
    service,
    owner,
    observed,
    observation,
  }) => {
    await observe(service, owner, observation)
    const { warnings, checks, preview } = await compiled(owner, observed, {
      positions: scaled,
      rules: [],
    })
    expect(warnings.map(({ code }) => code)).toEqual(['VOLATILITY_UNKNOWN'])
    expect(preview).toEqual([])
    expect(checks.map(({ code }) => code)).not.toContain('VOLATILITY')
  })

  it('sets ranges by the volatility of the observation, and warns about narrower ones', async ({
    service,
    owner,
    observed,
    observation,
  }) => {
    await observeHours(service, owner, observation, { step: 0.01, feesQuote: 0n })
    const wide = await compiled(owner, observed, { positions: scaled, rules: [] })
    expect(wide.checks.find(({ code }) => code === 'VOLATILITY')?.detail).toMatch(
      /^931\d{3} pips per year, from 199 returns/,
    )
    const [range] = wide.preview
    // ln 1.01 an hour is 4.87 % a day: 488 ticks to each side, rounded outwards to sixty.
    expect(range!.tickUpper - range!.tickLower).toBeGreaterThanOrEqual(960)
    expect(range!.tickUpper - range!.tickLower).toBeLessThanOrEqual(1140)
    expect(codesOf(wide)).not.toContain('RANGE_BELOW_DAILY_SIGMA')
    const narrow = position({ kind: 'RANGE', lowerPips: 10_000, upperPips: 10_000 })
    expect(codesOf(await compiled(owner, observed, { positions: narrow, rules: [] }))).toContain(
      'RANGE_BELOW_DAILY_SIGMA',
    )
  })

  it('compares the gas of the worst day with the fees of the ranges', async ({
    service,
    owner,
    observed,
    observation,
  }) => {
    const priced = { maxGasQuotePerAction: `${one / 1000n}` }
    const { guards } = definitionFor(observed) as { guards: object }
    const change = { guards: { ...guards, ...priced } }
    await observeHours(service, owner, observation, { step: 0.001, feesQuote: one / 10n })
    const poor = await compiled(owner, observed, change)
    expect(codesOf(poor)).toContain('GAS_ABOVE_FEES')
    const fees = poor.checks.find(({ code }) => code === 'EXPECTED_FEES')!.detail
    // A tenth over two hundred hours, and less than all of it.
    expect(BigInt(fees.split(' ')[0]!)).toBeLessThan((one / 10n / 200n) * 24n)
    await observeHours(service, owner, observation, { step: 0.001, feesQuote: one * 1000n })
    expect(codesOf(await compiled(owner, observed, change))).not.toContain('GAS_ABOVE_FEES')
  })
})
