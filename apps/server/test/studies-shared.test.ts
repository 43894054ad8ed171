import { createClient, send } from '@liquidity-os/client'
import { operationById } from '@liquidity-os/contract'
import { describe, expect } from 'vitest'
import { conformingFetch } from './support/conforming-fetch.ts'
import { test } from './support/fixtures.ts'
import type { TestMember, TestService } from './support/service.ts'
import { behaviour, inlinePool, pathSpec, type SimulatedArm, study } from './support/studying.ts'

/** Amounts that cannot be met by chance. */
const capital = { base: '12345678901234567890', quote: '98765432109876543210' }
const secretTurnover = '777777777777777777777'

const it = test
  .extend('settings', { scope: 'file' }, { PUBLIC_REQUESTS_PER_MINUTE: '100000' })
  .extend('shared', { scope: 'file' }, async ({ owner }) => {
    const usual = behaviour()
    const definition = {
      ...usual,
      name: 'Follow the secret tide',
      parameters: { author: 'Ada of Lighthouse' },
      guards: { ...usual.guards, maxTurnoverQuotePerDay: secretTurnover },
    }
    const { data } = await study(
      owner,
      pathSpec({
        market: { inline: inlinePool },
        arms: [
          { armId: 'follows', label: 'Follows', definition },
          {
            armId: 'stays',
            label: 'Stays',
            position: { kind: 'TICKS', tickLower: -1260, tickUpper: 1320 },
          },
        ],
        capital: { ...capital, normalization: 'EQUAL_VALUE' },
        failure: [
          {
            kind: 'DEPTH_BELOW',
            bandPips: 20_000,
            minQuote: '123123123123123123',
            timeSharePips: 1,
          },
          { kind: 'LOSS_VS_HOLD', pips: 12_345 },
        ],
        tradeSizesQuote: ['456456456456456456'],
      }),
    )
    return data
  })

const hidden = {
  showOrganization: false,
  showAmounts: false,
  showVenueAddress: false,
  showStrategyParameters: false,
  showAssumptions: false,
}

/** What somebody without any credential reads. */
async function readShared(
  service: TestService,
  owner: TestMember,
  shared: { id: string; payload: { result: { arms: SimulatedArm[] } } },
  disclosure: typeof hidden,
) {
  const { body } = await createClient(owner.options).createStudyShareLink({
    params: { id: shared.id },
    body: { payload: { disclosure }, reason: 'For the test' },
  })
  const operation = operationById.get('getSharedSimulationStudy')!
  const options = { baseUrl: service.baseUrl, fetch: conformingFetch }
  const answer = await send(options, operation, { params: { slug: body.data.payload.slug } })
  expect(answer.status).toBe(200)
  const text = await answer.text()
  return { text, data: JSON.parse(text).data }
}

/** Every text of digits in a value that is long enough to be an amount. */
function amountsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^-?\d{9,}$/.test(value) ? [value.replace('-', '')] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(amountsIn)
}

describe('a shared study of paths', () => {
  it('contains no amount, size or parameter of hidden data', async ({ service, owner, shared }) => {
    const { text, data } = await readShared(service, owner, shared, hidden)
    const amounts = new Set(amountsIn(shared.payload.result.arms))
    expect(amounts.size).toBeGreaterThan(500)
    for (const amount of amounts) expect(text).not.toContain(amount)
    const secrets = [
      ...Object.values(capital),
      secretTurnover,
      'Follow the secret tide',
      'Ada of Lighthouse',
      '123123123123123123',
      '456456456456456456',
      '-1260',
      '12345,',
      shared.id,
      owner.organizationId,
      pathSpec().pair.base,
      inlinePool.ticks[0]!.liquidityGross,
    ]
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(data).toMatchObject({
      unit: 'MILLIONTHS_OF_CAPITAL',
      venue: null,
      market: null,
      calibration: null,
      assumptions: null,
    })
    for (const arm of data.results) {
      expect(arm).toMatchObject({ depth: [], depthOverTime: [], slippage: [], flow: null })
      expect(arm.failure.rules).toMatchObject([
        { kind: 'DEPTH_BELOW', rule: null },
        { kind: 'LOSS_VS_HOLD', rule: null },
      ])
    }
  })

  it('keeps its ratios: every amount is its part of a capital of a million', async ({
    service,
    owner,
    shared,
  }) => {
    const { data } = await readShared(service, owner, shared, hidden)
    // The price is one, so the worth of the capital is its sum.
    const worth = BigInt(capital.base) + BigInt(capital.quote)
    const scaled = (amount: string) => {
      const twice = (2n * BigInt(amount) * 1_000_000n) / worth
      return Number((twice + (twice < 0n ? -1n : 1n)) / 2n)
    }
    const [shown] = data.results as SimulatedArm[]
    const [real] = shared.payload.result.arms
    for (const line of ['hold', 'divergenceLoss', 'fees', 'net'] as const) {
      const { mean, q } = shown!.waterfallHolder[line]
      expect(Number(mean)).toBe(scaled(real!.waterfallHolder[line].mean))
      expect(Number(q.p05)).toBe(scaled(real!.waterfallHolder[line].q.p05))
    }
    expect(Number(shown!.risk.netVsHold.es95)).toBe(scaled(real!.risk.netVsHold.es95))
    expect(Number(shown!.inventory.baseSold.mean)).toBe(scaled(real!.inventory.baseSold.mean))
    expect(Number(shown!.fan.at(-1)!.netVsHold.p95)).toBe(scaled(real!.fan.at(-1)!.netVsHold.p95))
  })

  it('shows what its owner lets it show', async ({ service, owner, shared }) => {
    const everything = {
      ...hidden,
      showAmounts: true,
      showStrategyParameters: true,
      showAssumptions: true,
    }
    const { text, data } = await readShared(service, owner, shared, everything)
    expect(data.arms[0]).toMatchObject({ strategy: { name: 'Follow the secret tide' } })
    expect(data.arms[1].position).toMatchObject({ tickLower: -1260 })
    expect(data.results[0].netVsHold).toEqual(shared.payload.result.arms[0]!.netVsHold)
    expect(data.results[0].depthOverTime).toEqual(shared.payload.result.arms[0]!.depthOverTime)
    expect(data.comparisons).toHaveLength(10)
    expect(text).toContain(secretTurnover)
    expect(text).not.toContain('Ada of Lighthouse')
    expect(text).not.toContain(pathSpec().pair.base)
  })
})
