import { expect, it } from 'vitest'
import { flowsAfter, type StressObligation } from './flows-after.ts'
import type { Leg, MarkedAsset } from './legs.ts'

const eth: MarkedAsset = { assetId: 'eth', tier: 2, priceX36: 3n * 10n ** 36n }
const observed = { betas: {}, windows: {}, nativeAsset: 'eth' }
const owed = (more: Partial<StressObligation> = {}): StressObligation => ({
  kind: 'GRANT',
  dueDays: 30,
  quote: 300n,
  ...more,
})
const halves: Leg = { kind: 'PRICE', asset: 'eth', movePips: -500_000 }

it('what is owed in an asset is worth what the asset is then, and what is owed in the quote stays', () => {
  const obligations = [owed({ asset: eth }), owed()]
  const inflows = [{ quote: 90n, asset: eth }, { quote: 10n }]
  expect(flowsAfter({ obligations, inflows }, [halves], observed)).toEqual({
    outflow: 150n + 300n,
    inflow: 45n + 10n,
    gaps: [],
  })
  const doubles: Leg = { kind: 'PRICE', asset: 'eth', movePips: 1_000_000 }
  expect(flowsAfter({ obligations, inflows }, [doubles], observed)).toMatchObject({
    outflow: 600n + 300n,
    inflow: 180n + 10n,
  })
})

it('rounds what leaves up and what comes down', () => {
  const obligations = [owed({ quote: 101n, asset: eth })]
  const inflows = [{ quote: 101n, asset: eth }]
  expect(flowsAfter({ obligations, inflows }, [halves], observed)).toMatchObject({
    outflow: 51n,
    inflow: 50n,
  })
})

it('counts a peg that comes back against the treasury, whatever the day', () => {
  const depeg: Leg = {
    kind: 'DEPEG',
    asset: 'eth',
    pricePips: 800_000,
    days: 3,
    recoveryPips: 900_000,
  }
  const flows = { obligations: [owed({ asset: eth })], inflows: [{ quote: 300n, asset: eth }] }
  expect(flowsAfter(flows, [depeg], observed)).toMatchObject({ outflow: 270n, inflow: 240n })
})

it('calls what is due later as the legs say, and no more than all of it', () => {
  const later = owed({ dueDays: 400, quote: 1001n })
  const call = (sharePips: number): Leg => ({
    kind: 'OBLIGATION_ACCELERATION',
    obligationKinds: ['GRANT'],
    toDays: 10,
    sharePips,
  })
  const outflow = (...legs: Leg[]) =>
    flowsAfter({ obligations: [later], inflows: [] }, legs, observed).outflow
  expect([outflow(), outflow(call(500_000)), outflow(call(500_000), call(1_000_000))]).toEqual([
    ...[0n, 501n, 1001n],
  ])
})

it('says which leg it could not apply to what is owed', () => {
  const correlated: Leg = { kind: 'CORRELATED', factor: 'btc', movePips: -500_000 }
  const { gaps, outflow } = flowsAfter(
    { obligations: [owed({ asset: eth }), owed({ asset: eth })], inflows: [] },
    [correlated],
    observed,
  )
  expect([gaps, outflow]).toEqual([[{ assetId: 'eth', leg: 0, code: 'NO_BETA' }], 600n])
})
