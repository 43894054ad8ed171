import { contract } from '@liquidity-os/contract'
import { deployLockups, deployVestingWallet, erc20Abi } from '@liquidity-os/localchain'
import { type Address, encodeFunctionData } from 'viem'
import { dayMilliseconds, daySeconds } from '../../src/units.ts'
import { providerBody, type TestChain } from '../support/chain.ts'
import { callOperation } from '../support/requests.ts'
import type { TestMember } from '../support/service.ts'
import { assumptions } from './record-scenes.ts'
import type { Scene } from './scene.ts'

const reason = 'For the walk'
const hash = `0x${'ab'.repeat(32)}`
const keyOf = (address: string) => `eip155:31337/erc20:${address.toLowerCase()}`
const nowhere = (resourceType: string, kind: string) => ({
  resourceType,
  id: `${kind}_${'0'.repeat(32)}`,
  resourceVersion: hash,
})

interface Recorded {
  readonly resourceType: string
  readonly id: string
  readonly resourceVersion: string
}
const refOf = ({ resourceType, id, resourceVersion }: Recorded) => ({
  resourceType,
  id,
  resourceVersion,
})

/** Funds reserved for depth in an account, and an obligation in the second token. */
async function aTreasury({ client }: TestMember, { chain, markets }: TestChain) {
  await client.putOperatingSystemProvider({ body: providerBody(chain.rpcUrl) })
  const made = async (payload: object) =>
    (await client.createTreasuryEntries({ body: { payload, reason } as never })).body
      .data as unknown as Recorded
  const asset = keyOf(markets.tokens[0])
  const held = await made({
    entryKind: 'ASSET',
    label: 'Reserve',
    asset,
    purpose: 'RUNWAY_RESERVE',
    container: { kind: 'EOA', chainId: 31_337, address: chain.accounts[0]!.address },
  })
  return refOf(held)
}

async function someAssumptions({ client }: TestMember) {
  const body = { ...assumptions, startMonth: '2026-01', reason } as never
  return refOf((await client.createTreasuryAssumptions({ body })).body.data as unknown as Recorded)
}

const returnsOf = (assetKey: string, scale: number) => ({
  assetKey,
  from: '2025-01-01T00:00:00Z',
  returnsPips: Array.from({ length: 300 }, (_, day) => ((day * 7919) % 11) * scale - 5 * scale),
})

async function stressBodies(owner: TestMember, test: TestChain): Promise<object[]> {
  const [base, quote] = test.markets.tokens.map(keyOf) as [string, string]
  const entry = await aTreasury(owner, test)
  const leg = (kind: string, more: object) => ({ kind, ...more })
  const wallet = test.chain.accounts[0]!.address
  const scenarios = [
    {
      scenarioId: 'all',
      label: 'Everything',
      legs: [
        leg('PRICE', { asset: base, movePips: -300_000 }),
        leg('PRICE', { tier: 'T3', movePips: -100_000 }),
        leg('DEPEG', { asset: base, pricePips: 900_000, days: 3, recoveryPips: 990_000 }),
        leg('CORRELATED', { factor: base, movePips: -100_000 }),
        leg('DEPTH_WITHDRAWAL', { removePips: 500_000 }),
        leg('FREEZE', { containers: [`eip155:31337:${wallet.toLowerCase()}`], days: 9 }),
        leg('OBLIGATION_ACCELERATION', { obligationKinds: ['ASSUMED'], toDays: 9 }),
        leg('REVENUE', { multiplierPips: 500_000 }),
      ],
    },
  ]
  const alone = (legs: object[]) => [{ scenarioId: 'alone', label: 'Alone', legs }]
  const past = { from: '2025-02-01T00:00:00Z', to: '2025-02-09T00:00:00Z' }
  const nothingSold = { venueIds: ['venue_one'], removePips: 500_000 }
  const threshold = { metric: 'COVERAGE_PIPS', threshold: '1000000' }
  const payload = {
    label: 'For the board',
    quoteKey: quote,
    portfolio: { scope: 'ALL_ACTIVE' },
    assumptions: await someAssumptions(owner),
    priceProviderId: 'exchange',
    ownToken: 'COUNTED',
    horizonDays: 20,
    confidencePips: 950_000,
    liquidation: { participationPips: 50_000, impactYPips: 900_000, days: 9 },
    markets: [{ assetKey: base, dailyVolume: `${10n ** 20n}`, dailyVolatilityPips: 40_000 }],
    scenarios,
    templates: ['CRASH_HALF'],
    seed: '42',
    returns: {
      windowDays: 250,
      tailCorrelationFloorPips: 700_000,
      supplied: [returnsOf(base, 2000)],
    },
    monteCarlo: { paths: 1000, model: 'BOOTSTRAP', meanBlockDays: 5 },
    reverse: [{ ...threshold, scenarioId: 'crash-half' }],
    limits: [threshold],
  }
  return [
    { payload, evidenceHashes: [hash], reason },
    { payload: { ...payload, portfolio: { entries: [entry] } }, reason },
    // Rejected: no sale occurs there, and no historical price exists.
    { payload: { ...payload, scenarios: alone([leg('DEPTH_WITHDRAWAL', nothingSold)]) }, reason },
    { payload: { ...payload, scenarios: alone([leg('HISTORICAL', past)]) }, reason },
    {
      payload: {
        ...payload,
        scenarios: alone([leg('HISTORICAL', { from: past.to, to: past.from })]),
      },
      reason,
    },
  ]
}

const [example] = contract.createUnlockImpacts.example.body.payload.schedules
const from = { from: '2026-01-01T00:00:00Z' }
const declared = {
  ...example,
  source: {
    kind: 'DECLARED',
    events: [
      { kind: 'CLIFF', at: '2026-02-03T00:00:00Z', amount: `${10n ** 23n}` },
      {
        kind: 'LINEAR',
        ...from,
        cliffAt: '2026-02-01T00:00:00Z',
        to: '2026-07-01T00:00:00Z',
        stepSeconds: 86_400,
        initial: '7',
        precision: 'X18',
        amount: `${10n ** 24n}`,
      },
      { kind: 'STEPS', ...from, stepSeconds: 864_000, steps: 9, amount: `${10n ** 22n}` },
      {
        kind: 'RECURRING',
        firstAt: '2026-02-10T00:00:00Z',
        every: 'MONTH',
        count: 3,
        amount: `${10n ** 22n}`,
      },
    ],
  },
  behaviour: { sellPips: { low: 100_000, base: 300_000, high: 600_000 }, horizonDays: 20 },
}
const unlocks = {
  ...contract.createUnlockImpacts.example.body.payload,
  schedules: [declared],
  model: { yPips: 900_000, halfLifeDays: 9, anticipationDays: 20, participationPips: 90_000 },
  limitPips: 40_000,
  mitigations: [
    { kind: 'LINEARISE', quantity: `${10n ** 24n}` },
    { kind: 'OTC_CARVE_OUT', quantity: `${10n ** 24n}`, days: 20 },
  ],
}
/** A wallet of OpenZeppelin and a stream of Sablier in the first token, once for a chain. */
const vested = new WeakMap<TestChain, ReturnType<typeof vest>>()
async function vest({ chain, markets }: TestChain) {
  const [token] = markets.tokens
  const [sender, beneficiary] = [0, 8].map((index) => chain.accounts[index]!.address) as [
    Address,
    Address,
  ]
  const start = Number((await chain.publicClient.getBlock()).timestamp)
  const days = (count: number) => count * daySeconds
  const terms = { beneficiary, start, duration: days(100) }
  const wallet = await deployVestingWallet(chain, terms)
  const args = [wallet, 10n ** 18n] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await chain.send({ from: sender, to: token, data })
  const lockups = await deployLockups(chain, sender)
  const stream = { start, cliff: start + days(20), end: start + days(90) }
  await lockups.streamLinear(token, 10n ** 18n, stream)
  await chain.mine(70)
  return { wallet, linear: lockups.linear, token: keyOf(token), start }
}

export const stressScenes: Readonly<Record<string, Scene>> = {
  createTreasuryStressTests: async (owner, test) => ({ bodies: await stressBodies(owner, test) }),
  createUnlockImpacts: async (owner, test) => {
    await aTreasury(owner, test)
    const vesting = vested.get(test) ?? vest(test)
    vested.set(test, vesting)
    const { wallet, linear, token, start } = await vesting
    const midnight = (start - (start % daySeconds)) * 1000
    const day = (number: number) => new Date(midnight + number * dayMilliseconds).toISOString()
    const window = { from: day(0), to: day(60) }
    const of = (source: object) => ({
      payload: { ...unlocks, token, window, schedules: [{ ...example, source }] },
      reason,
    })
    const at = (address: Address) => ({ chainId: 31_337, address })
    return {
      bodies: [
        { payload: unlocks, evidenceHashes: [hash], reason },
        of({ kind: 'OZ_VESTING_WALLET', ...at(wallet) }),
        of({ kind: 'SABLIER_LOCKUP', ...at(linear), ids: ['1'] }),
        // Refused: no such obligation is in the ledger.
        of({ kind: 'LEDGER', obligation: nowhere('TreasuryObligation', 'treasury_entry') }),
      ],
    }
  },
  ingestMarketMakerEvidence: async (owner) => {
    const mandate = await callOperation<Recorded>(owner, 'createMarketMakerMandates', {
      body: contract.createMarketMakerMandates.example.body,
    })
    const level = (priceX18: bigint) => [{ priceX18: `${priceX18}`, size: `${4n * 10n ** 18n}` }]
    const e16 = 10n ** 16n
    const book = { bids: level(99n * e16), asks: level(101n * e16) }
    const maker = { makerBids: level(98n * e16), makerAsks: level(102n * e16) }
    const sample = { at: '2026-01-05T12:00:00Z', ...book, ...maker, sequence: 9 }
    const { payload } = contract.ingestMarketMakerEvidence.example.body
    const combined = { ...payload, samples: [sample] }
    const own = { ...payload, samples: [{ at: sample.at, ...book }] }
    return {
      request: { params: { id: mandate.data.id } },
      bodies: [
        { payload: combined, evidenceHashes: [hash], reason },
        // Rejected: the signature is missing, and the key index is out of range.
        ...[0, 9].map((keyIndex) => ({
          payload: {
            ...own,
            source: 'MAKER_ORDERS',
            signature: { keyIndex, value: `${'A'.repeat(86)}==` },
          },
          reason,
        })),
      ],
    }
  },
}
