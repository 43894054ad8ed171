import type { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import type { Address } from 'viem'
import { blockOf } from '../../../integrations/chain/block-of.ts'
import type { SafeCall } from '../../../integrations/chain/safe-executions.ts'
import { type SafeSimulation, simulateSafe } from '../../../integrations/chain/simulate-safe.ts'
import type { PinnedChain } from '../../../market/treasury/treasury-snapshot.ts'

type Simulation = contract.ProposalSimulation
type Gap = Simulation['gaps'][number]
type Expected = contract.ExpectedEffect

interface Simulating {
  readonly safe: { address: Address; owners: readonly Address[]; threshold: number }
  readonly firstNonce: bigint
  readonly calls: readonly SafeCall[]
  readonly expected: readonly Expected[]
  readonly balances: Simulation['balances']
}

/** Simulates the packets of a proposal in sequence and compares effects with expectations. */
export async function simulatePackets(
  { chainId, block, clients }: PinnedChain,
  { safe, firstNonce, calls, expected, balances }: Simulating,
): Promise<Simulation> {
  const found = await simulateSafe(clients, block, { chainId, safe, firstNonce, calls })
  return serializeSimulation(found, {
    expected,
    balances,
    block: blockOf(chainId, block),
    providers: clients.length,
  })
}

interface Telling {
  readonly expected: readonly Expected[]
  readonly balances: Simulation['balances']
  readonly block: Simulation['block']
  readonly providers: number
}

/** Response format of a simulation, with its hash. */
export function serializeSimulation(
  found: SafeSimulation,
  { expected, balances, block, providers }: Telling,
): Simulation {
  const gaps = gapsOf(found, providers)
  const packets = packetsOf(found)
  const isKnown = packets.every(({ net }) => net !== null)
  const effects = isKnown ? effectsOf(packets, expected) : null
  const isComplete = found.method === 'eth_simulateV1' && isKnown && gaps.every(isHarmless)
  const state = found.method === null ? 'UNAVAILABLE' : isComplete ? 'COMPLETE' : 'PARTIAL'
  const content = { state, method: found.method, block, packets, effects, balances, gaps } as const
  return { ...content, balances: [...balances], simulationHash: H('simulation/v1', content) }
}

const gap = (code: string, detail: string): Gap => ({ code, detail })
const isHarmless = ({ code }: Gap) => code === 'PROVIDERS_WITHOUT_SIMULATION'

/**
 * After an owner change, the simulation cannot use the old approvals, so a revert of a later packet
 * is inconclusive.
 */
function packetsOf({ transactions }: SafeSimulation): Simulation['packets'] {
  const changed = transactions.findIndex(({ changesControl }) => changesControl === true)
  return transactions.map(({ outcome, gasUsed, revert, net, changesControl }, packetIndex) => {
    const isOpen = outcome === 'REVERTED' && changed >= 0 && packetIndex > changed
    return {
      packetIndex,
      outcome: isOpen ? 'UNKNOWN' : outcome,
      revert: isOpen ? null : revert,
      gasUsed: gasUsed === null ? null : `${gasUsed}`,
      net:
        net === null || isOpen
          ? null
          : [...net]
              .toSorted(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
              .map(([asset, delta]) => ({ asset, delta: `${delta}` })),
      changesControl: isOpen ? null : changesControl,
    }
  })
}

function gapsOf({ method, transactions, agreeing }: SafeSimulation, providers: number): Gap[] {
  const gaps: Gap[] = []
  const several = transactions.length > 1
  if (method === null) gaps.push(gap('NOT_SIMULATED', 'No provider of the chain can simulate.'))
  if (method === 'debug_traceCall') {
    const rest = several ? ' Only the first of several packets was simulated.' : ''
    gaps.push(gap('TRACED_ALONE', `No provider has eth_simulateV1.${rest}`))
  }
  if (method === 'eth_call') {
    const rest = several ? ', and only for the first of several packets' : ''
    gaps.push(gap('EFFECTS_UNKNOWN', `Providers report only if the call succeeds${rest}.`))
  }
  if (method !== null && agreeing < providers) {
    const detail = `${providers - agreeing} of ${providers} providers do not support this simulation method.`
    gaps.push(gap('PROVIDERS_WITHOUT_SIMULATION', detail))
  }
  if (transactions.some(({ changesControl }) => changesControl === true) && several) {
    const detail =
      'A packet changes the owners. Later packets were simulated with the previous owners.'
    gaps.push(gap('OWNERS_CHANGE_WITHIN', detail))
  }
  return gaps
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

function effectsOf(packets: Simulation['packets'], expected: readonly Expected[]) {
  const sums = new Map<string, bigint>()
  for (const { asset, delta } of packets.flatMap(({ net }) => net ?? [])) {
    sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(delta))
  }
  const assets = [
    ...sums.keys(),
    ...expected
      .map(({ asset }) => asset)
      .filter((asset) => ![...sums.keys()].some((known) => isSame(known, asset))),
  ]
  return assets.map((asset) => {
    const bounds = expected.find((one) => isSame(one.asset, asset)) ?? null
    const delta = sums.get(asset) ?? 0n
    const isWithin =
      bounds === null
        ? delta === 0n
        : delta >= BigInt(bounds.minimumDelta) && delta <= BigInt(bounds.maximumDelta)
    return {
      asset,
      delta: `${delta}`,
      expected: bounds && {
        minimumDelta: bounds.minimumDelta,
        maximumDelta: bounds.maximumDelta,
      },
      isWithin: expected.length === 0 ? null : isWithin,
    }
  })
}
