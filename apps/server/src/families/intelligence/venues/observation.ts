import type { contract, Evidence } from '@liquidity-os/contract'
import {
  type LoggedMarket,
  marketToJson,
  type Orientation,
  priceOrNull,
  toJsonSafe,
} from '@liquidity-os/engine/amm'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { depthLadder, slippageTable } from '@liquidity-os/engine/depth'
import { listStorage } from '@liquidity-os/engine/parity'
import { engineVersion } from '@liquidity-os/engine/version'
import { canonicalize, H, sha256Hex } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import type { Header } from '../../../integrations/chain/header.ts'
import type { TokenReading } from '../../../integrations/chain/token-behaviour.ts'
import { fidelityOf } from '../../../market/fidelity.ts'
import { midPriceOf } from '../../../market/mid-price.ts'
import { eventsNotRead, tokenNotExact, transfersAssumed } from '../../../market/observed-spans.ts'
import { managersAsOne } from '../../../market/provider-depths.ts'
import { annualPips, volatilityOf } from '../../../market/realized-volatility.ts'
import { endNotRead } from '../../../market/span-rows.ts'
import type { ArtifactInsert } from '../../../store/records/change.ts'
import type { Recorded } from './event-recorder.ts'
import type { Providers } from './providers.ts'
import { hasPrice, heldQuote } from './quote-value.ts'
import { blockOf } from './validate-venue.ts'
import type { VenueProfile } from './venue.ts'

export type ObservationPayload = Static<typeof contract.VenueObservation>

/** All data of one venue over one range. */
export interface Read {
  venue: { id: string; resourceVersion: string; profile: VenueProfile }
  from: Header
  to: Header
  start: LoggedMarket
  /** Chain state at the end of the range; null if it was pruned. */
  end: LoggedMarket | null
  recorded: Recorded
  /** Position tokens of the profile; undefined if it names none or they were unreadable. */
  tokens: readonly contract.PositionToken[] | undefined
  /** Check of the token transfers; null if the market kind has none. */
  transfers: TokenReading | null
  /** Undefined without trades or funding data. */
  funding: contract.ObservedFunding | undefined
  /** Null if unknown. */
  providers: Providers | null
  /** True if the market was read at one block, without events. */
  isStateAlone: boolean
  /** True if the start state lists every position. */
  positions: 'COMPLETE' | 'PARTIAL'
  /** True if the chain confirmed the start state at some time; otherwise the engine computed it. */
  isStartRead: boolean
  side: Orientation
  limitations: readonly string[]
}

/** Depth bands in pips: 1, 2, 5 and 10 %. */
const bandsPips = [10_000, 20_000, 50_000, 100_000]

/** A blob and the hash of its bytes, before its producer is known. */
export interface SealedBlob {
  hash: string
  mediaType: string
  content: Uint8Array
}

/** Seals the data of a read: the payload of the observation, its state, and its artifacts. */
export function sealObservation(read: Read): {
  payload: ObservationPayload
  status: 'COMPLETED' | 'PARTIAL'
  blobs: SealedBlob[]
} {
  const { recorded, venue, from, to } = read
  const end = read.end ?? recorded.final
  const { chainId } = venue.profile.pair
  const startBlob = jsonBlob(marketToJson(read.start))
  const endBlob = jsonBlob(marketToJson(end))
  const eventsBlob = blob('application/x-ndjson', recorded.eventLines)
  const samplesBlob = jsonBlob(toJsonSafe(recorded.samples))
  const fidelity = fidelityOf(recorded.fidelity)
  const firstMismatch = firstDifference(recorded.final, end, recorded.undetermined)
  const isExact = fidelity.eventsExact === fidelity.eventsReplayed
  const isConsistent = firstMismatch === null && isExact
  // Tokens that were not read refute nothing: `evidenceOf` states the assumption.
  const isTokenRefuted = read.transfers?.state === 'NOT_EXACT'
  const proved = isConsistent && !isTokenRefuted && read.end !== null && !read.isStateAlone
  const gaps = gapsOf(read, isConsistent)
  const blocks = [blockOf(chainId, from), blockOf(chainId, to)]
  const payload: ObservationPayload = {
    venue: { id: venue.id, resourceVersion: venue.resourceVersion },
    range: {
      from: blockOf(chainId, from),
      to: blockOf(chainId, to),
      parentHash: from.parentHash,
    },
    counts: recorded.counts,
    eventsRoot: recorded.eventsRoot,
    events: { count: recorded.fidelity.eventsReplayed, artifactHash: eventsBlob.hash },
    start: { snapshotHash: stateHash(read.start), artifactHash: startBlob.hash },
    state: {
      at: blockOf(chainId, to),
      snapshotHash: stateHash(end),
      artifactHash: endBlob.hash,
    },
    samples: {
      cadenceSeconds: venue.profile.read.cadenceSeconds,
      count: recorded.samples.length,
      artifactHash: samplesBlob.hash,
    },
    continuity: { proved, fidelity, firstMismatch },
    metrics: metricsOf(read, end),
    ...(read.tokens ? { positionTokens: [...read.tokens] } : {}),
    ...(read.funding ? { funding: read.funding } : {}),
    gaps,
    evidence: evidenceOf(read, end, { blocks, gaps, eventsHash: eventsBlob.hash }),
  }
  return {
    payload,
    status: proved && gaps.length === 0 ? 'COMPLETED' : 'PARTIAL',
    blobs: [startBlob, endBlob, eventsBlob, samplesBlob],
  }
}

/** Hash of the complete market state. */
export function stateHash(market: LoggedMarket): string {
  return H('market-state/v1', marketToJson(market))
}

function blob(mediaType: string, content: Uint8Array): SealedBlob {
  return { hash: `0x${sha256Hex(content)}`, mediaType, content }
}

function jsonBlob(value: unknown): SealedBlob {
  return blob('application/json', Buffer.from(canonicalize(value)))
}

/** The artifacts of an observation, after its version is known. */
export function artifactsOf(
  blobs: readonly SealedBlob[],
  producer: ArtifactInsert['producer'],
): ArtifactInsert[] {
  return blobs.map(({ hash, mediaType, content }) => ({
    contentHash: hash,
    mediaType,
    content,
    producer,
  }))
}

/**
 * First storage field that differs between the replayed market and the chain, or null. Token
 * balances of Uniswap pools are excluded, because transfers to a pool emit no pool event. LP token
 * holders of v2 pairs are excluded, because token events are not read. StableSwap balances are
 * internal accounting, so they are compared.
 *
 * @param undetermined fields that the events do not determine
 */
export function firstDifference(
  computed: LoggedMarket,
  expected: LoggedMarket,
  undetermined: readonly string[] = [],
): ObservationPayload['continuity']['firstMismatch'] {
  const isCompared = (field: string) =>
    !/^balance([01]$|Of)/.test(field) && !undetermined.includes(field)
  const ours = listStorage(computed)
  const theirs = listStorage(expected)
  for (const field of [...new Set([...theirs.keys(), ...ours.keys()])].filter(isCompared)) {
    const [was, is] = [theirs.get(field) ?? '0', ours.get(field) ?? '0']
    if (was !== is) return { field, expected: was, computed: is }
  }
  return null
}

function gapsOf(read: Read, isConsistent: boolean): ObservationPayload['gaps'] {
  const { recorded, end, to } = read
  const gaps: ObservationPayload['gaps'] = []
  if (read.isStateAlone) {
    gaps.push({
      code: eventsNotRead,
      detail:
        'The market state was read at this block, but no events were. Counts and volumes cover no events.',
      fromBlock: to.number,
      toBlock: to.number,
    })
  }
  const { firstDivergence, eventsRefused } = recorded.fidelity
  if (firstDivergence) {
    gaps.push({
      code: 'UNSUPPORTED_TOKEN_BEHAVIOUR',
      detail: `The ${firstDivergence.event.type} in block ${firstDivergence.event.block} does not match the pool code.`,
      fromBlock: firstDivergence.event.block,
    })
  } else if (!isConsistent && eventsRefused === 0) {
    gaps.push({
      code: 'EVENT_GAP',
      detail: 'The events do not lead from the start state to the end state.',
    })
  }
  if (eventsRefused > 0) {
    gaps.push({
      code: 'EVENTS_NOT_JUDGED',
      detail: `${eventsRefused} events could not be checked.`,
    })
  }
  if (read.transfers?.state === 'NOT_EXACT') {
    gaps.push({
      code: tokenNotExact,
      detail: read.transfers.detail,
      fromBlock: read.from.number,
      toBlock: to.number,
    })
  }
  if (end === null) {
    gaps.push({
      code: endNotRead,
      detail:
        'The provider no longer has the state of the last block. All events match, and the end state is computed.',
      fromBlock: to.number,
      toBlock: to.number,
    })
  }
  return gaps
}

function metricsOf(
  { side, recorded, isStateAlone, providers }: Read,
  end: LoggedMarket,
): ObservationPayload['metrics'] {
  const volatility = volatilityOf(recorded.samples)
  const course = {
    volumeQuote: recorded.volumeQuote.toString(),
    feesQuote: recorded.feesQuote.toString(),
    trades: recorded.trades,
    traders: isStateAlone ? null : recorded.traders,
    realizedVolAnnualPips: volatility && annualPips(volatility.value),
    providers: providers?.shares.map((share) => ({ ...share })) ?? null,
  }
  if (!hasPrice(end)) return { midX18: '0', depth: [], slippage: [], tvlQuote: '0', ...course }
  const mid = priceOrNull(end, side)
  const tvl = heldQuote(end, side)
  // Sizes scale with the market, so every venue shows the curved part of its depth.
  const sizes = [1000n, 100n, 20n, 10n].map((part) => tvl / part).filter((size) => size > 0n)
  return {
    ...(mid === null ? { midX18: '0' } : midPriceOf(mid)),
    depth: depthLadder(end, side, bandsPips).map((depth) => ({
      bandPips: depth.bandPips,
      side: depth.side,
      quote: depth.quote.toString(),
    })),
    slippage: slippageTable(end, side, sizes).map((slip) => ({
      sizeQuote: slip.sizeQuote.toString(),
      side: slip.side,
      pips: slip.pips,
      feePips: slip.feePips,
      impactPips: slip.impactPips,
      fillable: slip.fillable,
    })),
    tvlQuote: tvl.toString(),
    ...course,
  }
}

function evidenceOf(
  read: Read,
  end: LoggedMarket,
  known: Pick<Evidence, 'blocks' | 'gaps'> & { eventsHash: string },
): Evidence {
  const { venue, limitations, positions, isStartRead, providers } = read
  return {
    engineVersion,
    engineBuildHash: engineBuildHash(),
    specHash: H('venue-observation-spec/v1', {
      venue: { id: venue.id, resourceVersion: venue.resourceVersion },
      from: read.from.number,
      to: read.to.number,
    }),
    inputs: [
      { name: 'venue', hash: venue.resourceVersion },
      { name: 'startState', hash: stateHash(read.start) },
      { name: 'endState', hash: stateHash(end) },
      { name: 'events', hash: known.eventsHash },
    ],
    blocks: known.blocks,
    seed: null,
    assumptions: [
      ...limitations.map((code) => ({ code, value: 'true', source: 'DECLARED' as const })),
      ...(positions === 'PARTIAL'
        ? [{ code: 'POSITIONS_FROM_EVENTS', value: 'true', source: 'DEFAULT' as const }]
        : []),
      ...(isStartRead
        ? []
        : [{ code: 'START_STATE_COMPUTED', value: 'true', source: 'DEFAULT' as const }]),
      ...(read.transfers?.state === 'NOT_READ'
        ? [{ code: transfersAssumed, value: 'NOT_PROVEN', source: 'DEFAULT' as const }]
        : []),
      ...(providers?.managers ?? []).map((value) => ({
        code: managersAsOne,
        value,
        source: 'DEFAULT' as const,
      })),
    ],
    gaps: known.gaps,
  }
}
