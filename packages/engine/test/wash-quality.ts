import { volumeOf } from '../src/detection/closed-runs.ts'
import { detectors } from '../src/detection/detectors.ts'
import type { SignedLeg } from '../src/detection/linked-signers.ts'
import { washTrades } from '../src/detection/wash-trades.ts'
import { pathStream } from '../src/random/streams.ts'
import { readDatasetRows } from './datasets.ts'
import { countSeverity, makeCounts, severities } from './detector-quality.ts'
import {
  type BandCount,
  type Characteristic,
  factors,
  type OperatingPoint,
} from './detector-real-series.ts'
import { type Scheme, schemes, stage, type Tape } from './wash-schemes.ts'

const MILLION = 1_000_000
/** Wash trade share for the comparison of schemes. */
const comparedShare = 0.2
/** Shares that windows are staged with, one in every band of the severities. */
const stagedShares = [0.01, 0.05, 0.2, 0.5]
const windowSeconds = 6 * 3600
const bands = [0, 20_000, 100_000, 300_000]

const magnitude = (value: bigint) => (value < 0n ? -value : value)

/** 300 trades of a small token within a day, with their signers. */
function smallToken(): Tape {
  const units = (decimal: string, decimals: number) => {
    const [whole, fraction = ''] = decimal.split('.')
    return BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals))
  }
  const legs = readDatasetRows('longtail-ohlcv-hourly/trades_one_pool.csv').map((row) => {
    const [given, taken] = [row.from_token_amount!, row.to_token_amount!]
    const sells = row.side === 'sell'
    return {
      venueId: 'small token',
      at: Date.parse(row.block_timestamp!) / 1000,
      base: sells ? -units(given, 6) : units(taken, 6),
      volumeQuote: units(sells ? taken : given, 9),
      origin: row.tx_from_address!,
      sender: '',
      recipient: row.tx_from_address!,
    }
  })
  return { name: 'small token', legs, feePips: 3000 }
}

/**
 * A day of WBTC/WETH and one of USDC/WETH. Events do not contain the signer, so the recipient
 * replaces it.
 */
function largePools(): Tape[] {
  const bitcoin = readDatasetRows('v3-wbtc-weth-2023-04/events.csv').flatMap((row) => {
    if (row.type !== 'SWAP') return []
    const parties = { sender: row.sender!, recipient: row.recipientOrOwner! }
    const [base, quote] = [-BigInt(row.amount0!), BigInt(row.amount1!)]
    return swapLeg('WBTC/WETH', Number(row.timestamp), { base, quote, ...parties })
  })
  const dollar = readDatasetRows('v3-usdc-weth-2024-01-05/raw_logs.csv.gz').flatMap((row) => {
    const topics = row.topics!.match(/0x[0-9a-f]{64}/g) ?? []
    if (!topics[0]?.startsWith(swapTopic)) return []
    const word = (place: number) =>
      BigInt.asIntN(256, BigInt(`0x${row.data!.slice(2 + 64 * place, 66 + 64 * place)}`))
    const parties = { sender: topics[1]!, recipient: topics[2]! }
    const at = Date.parse(`${row.block_timestamp}Z`) / 1000
    return swapLeg('WETH/USDC', at, { base: -word(1), quote: word(0), ...parties })
  })
  return [
    { name: 'WBTC/WETH', legs: bitcoin, feePips: 3000 },
    { name: 'WETH/USDC', legs: dollar, feePips: 500 },
  ]
}

const swapTopic = '0xc42079f9'

function swapLeg(
  venueId: string,
  at: number,
  swap: { base: bigint; quote: bigint; sender: string; recipient: string },
): SignedLeg[] {
  const { base, quote, sender, recipient } = swap
  if (base === 0n) return []
  return [
    { venueId, at, base, volumeQuote: magnitude(quote), sender, recipient, origin: recipient },
  ]
}

/** The recorded tapes, each in chain order. */
export const tapes = (): Tape[] => [smallToken(), ...largePools()]

/** A tape or part of a tape with its detection results; shares in pips of its volume. */
interface Judged {
  readonly truthPips: number
  readonly toldPips: number
  /** Detected share of the wash volume. */
  readonly hitPips: number
  /** Falsely flagged share of the genuine volume. */
  readonly falsePips: number
}

function judge(legs: readonly SignedLeg[], washed: ReadonlySet<SignedLeg>): Judged {
  const flagged = washTrades(legs)
  const truly = legs.filter((leg) => washed.has(leg))
  const others = legs.filter((leg) => !washed.has(leg))
  const pips = (part: readonly SignedLeg[], whole: readonly SignedLeg[]) =>
    part.length === 0 ? 0 : Number((volumeOf(part) * BigInt(MILLION)) / volumeOf(whole))
  return {
    truthPips: pips(truly, legs),
    toldPips: pips([...flagged.keys()], legs),
    hitPips: pips(
      truly.filter((leg) => flagged.has(leg)),
      truly,
    ),
    falsePips: pips(
      others.filter((leg) => flagged.has(leg)),
      others,
    ),
  }
}

const drawsOf = (number: number) => pathStream(new Uint8Array(32), number, 'bootstrap', false)

/** Detected share of every scheme per tape, and false detections on the unmodified tape. */
export interface SchemeQuality {
  tapes: { name: string; trades: number; falsePips: number }[]
  schemes: { name: string; found: { hitPips: number; falsePips: number }[] }[]
}

export function measureSchemes(recorded: readonly Tape[]): SchemeQuality {
  const onTape = (scheme: Scheme, number: number) => (tape: Tape) => {
    const { legs, washed } = stage(tape, scheme, comparedShare, drawsOf(number))
    return judge(legs, washed)
  }
  return {
    tapes: recorded.map(({ name, legs }) => ({
      name,
      trades: legs.length,
      falsePips: judge(legs, new Set()).falsePips,
    })),
    schemes: schemes.map((scheme, number) => ({
      name: scheme.name,
      found: recorded.map(onTape(scheme, number)),
    })),
  }
}

/**
 * Hits by scheme and tape, and detections on the unmodified tape, as a table for the methodology
 * page.
 */
export function schemeTable({ tapes: recorded, schemes: found }: SchemeQuality): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const percent = (pips: number) => `${(pips / 10_000).toFixed(1)} %`
  return [
    row(['wash trades', ...recorded.map(({ name, trades }) => `${name}, ${trades} trades`)]),
    row(['---', ...recorded.map(() => '---')]),
    row(['none: told falsely', ...recorded.map(({ falsePips }) => percent(falsePips))]),
    ...found.map(({ name, found: tapes }) =>
      row([name, ...tapes.map(({ hitPips }) => percent(hitPips))]),
    ),
  ].join('\n')
}

/** Six-hour windows of every tape, unmodified and with every scheme at every share. */
function judgeWindows(recorded: readonly Tape[], staged: readonly Scheme[]): Judged[] {
  return recorded.flatMap(windowsOf).flatMap((tape, index) => {
    const clean = judge(tape.legs, new Set())
    const dirty = staged.flatMap((scheme, number) =>
      stagedShares.map((share, level) => {
        const draws = drawsOf((index * staged.length + number) * stagedShares.length + level)
        const { legs, washed } = stage(tape, scheme, share, draws)
        return judge(legs, washed)
      }),
    )
    return [clean, ...dirty]
  })
}

/** Parts of at least half the length, since the last one is cut short. */
function windowsOf(tape: Tape): Tape[] {
  const from = tape.legs[0]!.at
  const parts = Map.groupBy(tape.legs, ({ at }) => Math.floor((at - from) / windowSeconds))
  return [...parts.values()]
    .filter((legs) => legs.at(-1)!.at - legs[0]!.at >= windowSeconds / 2)
    .map((legs) => ({ ...tape, legs }))
}

/**
 * Bands of the true wash share, and the receiver-operating curve by severity. The minimum effects
 * are those of the anomaly MANIPULATION_INDICATOR, which also caps scores.
 */
export function washCharacteristic(
  recorded: readonly Tape[],
  staged: readonly Scheme[] = schemes,
): Characteristic {
  const judged = judgeWindows(recorded, staged)
  const { effects } = detectors.MANIPULATION_INDICATOR
  const severityOf = (pips: number) =>
    severities.findLast((_, index) => pips >= Number(effects[index])) ?? null
  const counts = bands.map((fromPips, index): BandCount => {
    const toPips = bands[index + 1] ?? null
    return { fromPips, toPips, bars: 0, told: makeCounts() }
  })
  for (const { truthPips, toldPips } of judged) {
    const band = counts.findLast(({ fromPips }) => truthPips >= fromPips)!
    band.bars += 1
    countSeverity(band.told, severityOf(toldPips))
  }
  const curve = severities.flatMap((severity, index) =>
    factors.map((factor): OperatingPoint => {
      const least = Number(effects[index])
      const isDetected = ({ toldPips }: Judged) => toldPips >= least * factor
      const positives = judged.filter(({ truthPips }) => truthPips >= least)
      const negatives = judged.filter(({ truthPips }) => truthPips < least)
      return {
        severity,
        factor,
        positives: positives.length,
        negatives: negatives.length,
        hits: positives.filter(isDetected).length,
        falseAlarms: negatives.filter(isDetected).length,
      }
    }),
  )
  return { bands: counts, curve }
}
