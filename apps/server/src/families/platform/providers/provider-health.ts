import type { contract } from '@liquidity-os/contract'
import { creditsOf } from '../../../integrations/chain/day-quota.ts'
import { limits } from '../../../limits.ts'
import {
  addCounts,
  type CallCounts,
  durationQuantile,
  emptyCounts,
  sumCalls,
} from '../../../store/node-calls/call-counts.ts'
import type {
  CountedMinute,
  LearnedLimit,
  NodeState,
} from '../../../store/node-calls/node-calls.ts'

type ProviderHealth = contract.ProviderHealth

export interface LastProbe {
  /** Unix time in ms. */
  readonly at: number
  readonly isOk: boolean
  /** Time of the probe with the facts, if the last one failed. */
  readonly factsAt?: number
  /** Facts of the probe, see `ProviderEvidence`. */
  readonly facts: Readonly<Record<string, string>>
}

interface Observed {
  readonly probe: LastProbe | null
  /** Newest probes of the other providers of the chain. */
  readonly others: readonly LastProbe[]
  readonly capabilities: readonly string[]
  readonly day: readonly CountedMinute[]
  /** Counts of the last 15 minutes. */
  readonly recent: readonly CallCounts[]
  readonly state: NodeState
  readonly configured: contract.NodeLimits
  /** Unix time in ms. */
  readonly pausedUntil: number | null
  readonly now: number
}

/** From these on, a node is LAGGING: both must be exceeded. */
const [laggingBlocks, laggingMilliseconds] = [64, 300_000]
const slowMilliseconds = 2_000
const limitedShare = 0.05

/** Health of a node from its counted calls and its newest probe. Pure. */
export function providerHealth(observed: Observed): ProviderHealth {
  const { probe, others, capabilities, day, state, pausedUntil, configured } = observed
  const head = headOf(probe)
  const lag = lagOf(head, others)
  const total = sumOf(day.map(({ counts }) => counts))
  const time = (milliseconds: number) => new Date(milliseconds).toISOString()
  const terms = { credits: configured.credits ?? {} }
  const methods = Object.entries(total.methods).map(([method, counts]) => ({
    method,
    ...counts,
    credits: counts.calls * creditsOf(terms, method),
  }))
  return {
    state: stateOf(observed),
    headBlock: head?.block ?? null,
    headAt: head ? time(head.at) : null,
    lagBlocks: lag?.blocks ?? null,
    probedAt: probe ? time(probe.at) : null,
    pausedUntil: pausedUntil === null ? null : time(pausedUntil),
    limits: [
      limitOf('CALLS_PER_SECOND', configured.requestsPerSecond, state.limits.callsPerSecond),
      limitOf(
        'CALLS_PER_REQUEST',
        configured.batchCalls ?? limits.chainBatchCalls,
        state.limits.callsPerRequest,
      ),
      limitOf('LOG_BLOCKS', configured.logBlocks, state.limits.logBlocks),
      limitOf('CONCURRENT_REQUESTS', configured.concurrency, undefined),
      limitOf('CREDITS_PER_DAY', configured.creditsPerDay, undefined),
    ],
    capabilities: {
      ...capabilityOf(probe, capabilities),
      proofs: served(probe, 'proofs'),
      simulateV1: served(probe, 'simulateV1'),
      stateDepthBlocks: depthOf(probe, 'stateDepthBlocks'),
      logDepthBlocks: depthOf(probe, 'logDepthBlocks'),
    },
    calls: {
      answered: total.answered,
      refused: total.refused,
      failed: total.failed,
      p50Ms: durationQuantile(total, 0.5),
      p95Ms: durationQuantile(total, 0.95),
    },
    minutes: day.map(({ at, counts }) => ({
      at: time(at * 1000),
      calls: sumCalls(counts),
      refused: counts.refused,
      failed: counts.failed,
      p50Ms: durationQuantile(counts, 0.5),
      p95Ms: durationQuantile(counts, 0.95),
      bytes: counts.bytes,
    })),
    methods: methods
      .sort((a, b) => b.calls - a.calls || (a.method < b.method ? -1 : 1))
      .slice(0, 200),
    creditsUsed: methods.reduce((sum, { credits }) => sum + credits, 0),
    lastError: state.lastError,
  }
}

function stateOf({ probe, others, recent, state, pausedUntil, now }: Observed) {
  const counts = sumOf(recent)
  const calls = sumCalls(counts)
  const { lastError } = state
  const isAfter = (time: string | null) => time !== null && Date.parse(time) > now
  if (lastError?.reason === 'QUOTA_EXHAUSTED' && isAfter(lastError.retryAt)) return 'QUOTA'
  const isRejected = lastError?.httpStatus === 401 || lastError?.httpStatus === 403
  const isAnswered = calls > 0 && counts.answered > 0
  if (calls > 0 && (counts.failed === calls || (isRejected && !isAnswered))) return 'DOWN'
  if (calls === 0 && probe && !probe.isOk) return 'DOWN'
  if (pausedUntil !== null || (calls > 0 && counts.refused >= limitedShare * calls))
    return 'LIMITED'
  const lag = lagOf(headOf(probe), others)
  if (lag && lag.blocks > laggingBlocks && lag.milliseconds > laggingMilliseconds) return 'LAGGING'
  if ((durationQuantile(counts, 0.95) ?? 0) > slowMilliseconds) return 'SLOW'
  return probe || isAnswered ? 'UP' : 'UNKNOWN'
}

interface Head {
  readonly block: number
  /** Time of the block, Unix time in ms. */
  readonly at: number
  /** Age of the block at the probe, in ms. */
  readonly age: number
}

function headOf(probe: LastProbe | null): Head | null {
  const { finalizedBlock, finalizedAt } = probe?.facts ?? {}
  if (!probe || finalizedBlock === undefined || finalizedAt === undefined) return null
  const at = Date.parse(finalizedAt)
  return { block: Number(finalizedBlock), at, age: (probe.factsAt ?? probe.at) - at }
}

/**
 * Lag behind the freshest head of the other providers. Probes run at different times, so it compares
 * the ages of the heads at their probes. The time between blocks follows from both heads.
 */
function lagOf(head: Head | null, others: readonly LastProbe[]) {
  const heads = others.map(headOf).filter((one) => one !== null)
  const [freshest] = heads.sort((a, b) => a.age - b.age)
  if (!head || !freshest) return null
  const milliseconds = Math.max(0, head.age - freshest.age)
  const blocksBetween = freshest.block - head.block
  const blockMilliseconds = blocksBetween === 0 ? 0 : (freshest.at - head.at) / blocksBetween
  const blocks = blockMilliseconds > 0 ? Math.round(milliseconds / blockMilliseconds) : 0
  return { blocks, milliseconds }
}

function sumOf(parts: readonly CallCounts[]): CallCounts {
  const sum = emptyCounts()
  for (const counts of parts) addCounts(sum, counts)
  return sum
}

function limitOf(
  name: ProviderHealth['limits'][number]['name'],
  configured: number | undefined,
  learned: LearnedLimit | undefined,
) {
  const learnedAt = learned ? new Date(learned.at).toISOString() : null
  return { name, configured: configured ?? null, learned: learned?.value ?? null, learnedAt }
}

function capabilityOf(probe: LastProbe | null, admitted: readonly string[]) {
  const names = probe?.facts.capabilities?.split(' ') ?? admitted
  const has = (name: string) => (probe ? names.includes(name) : null)
  return {
    finalizedTag: has('FINALIZED_TAG'),
    blockHashPin: has('EIP_1898'),
    archiveState: has('ARCHIVE'),
  }
}

function depthOf(probe: LastProbe | null, fact: string): number | null {
  const value = probe?.facts[fact]
  return value === undefined ? null : Number(value)
}

function served(probe: LastProbe | null, fact: string): boolean | null {
  const value = probe?.facts[fact]
  return value === undefined ? null : value === 'SERVED'
}
