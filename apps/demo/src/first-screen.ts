import type { LaunchChain } from './launch-chain.ts'
import type { ObservationRecord, StudyRecord, VenueRecord } from './resources.ts'

interface Found {
  launch: Pick<LaunchChain, 'recorded' | 'recording'>
  venue: VenueRecord
  observation: ObservationRecord
  study: StudyRecord
}

/** Amounts of an arm in WETH atoms under the assumptions on the traders, the least and the most. */
interface Band {
  low: bigint
  high: bigint
}

interface Gain extends Band {
  armId: string
  label: string
  /** What it gained by beginning with another mix of tokens than the capital, by moving along the curve, and in fees. */
  parts: readonly [mix: Band, curve: Band, fees: Band]
}

const X18 = 10n ** 18n
const bar = (share: number, width: number) =>
  '█'.repeat(Math.round(share * width)).padEnd(width, '·')

/** An amount in whole tokens with three digits, towards zero; for the eye, the record has the atoms. */
export function whole(atoms: bigint, digits = 3): string {
  const text = (atoms < 0n ? -atoms : atoms).toString().padStart(19, '0')
  const integer = BigInt(text.slice(0, -18)).toLocaleString('en-US')
  const shown = `${integer}.${text.slice(-18, digits - 18)}`
  return atoms < 0n && /[1-9]/.test(shown) ? `-${shown}` : shown
}

/** What the demo found, as some lines of a terminal: what was looked at, what came out, and the figures behind it. */
export function firstScreen(found: Found): string {
  return ['', ...subject(found), '', ...verdict(found.study), '', ...figures(found), ''].join('\n')
}

/** Names of the market, its tokens and its units. */
function subject({ launch, venue, observation }: Found): string[] {
  const { name, address, pair } = venue.payload
  const { events } = launch.recorded
  const { range, continuity } = observation.payload
  const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16)
  const [first, last] = [events[0]!, events.at(-1)!]
  const { swaps, liquidityChanges } = continuity.fidelity
  const exact = (part: { replayed: number; exact: number }) => `${part.exact} of ${part.replayed}`
  return [
    `Venue   ${name}`,
    `        Uniswap v3 pool ${address}`,
    `Tokens  ENS ${pair.base}, and WETH ${pair.quote}, which all amounts are in`,
    `Blocks  ${first.blockNumber} to ${last.blockNumber} of Ethereum, ${time(first.timestamp)} to ${time(last.timestamp)} UTC, here ${range.from.number} to ${range.to.number}`,
    `Replay  ${exact(swaps)} recorded swaps and ${exact(liquidityChanges)} liquidity changes exact, none of our own`,
  ]
}

/** The answer in words, and only what both assumptions on the traders say. */
function verdict(study: StudyRecord): string[] {
  const { result } = study.payload
  if (!result || study.status !== 'COMPLETED') return ['What came out: the study gives no figures.']
  const gains = gainsOf(study)
  const hold = gains.find(({ armId }) => armId === 'hold')
  const [best, second] = gains.toSorted((a, b) => (a.low < b.low ? 1 : -1))
  if (!hold || !best || !second) throw new Error('The study has too few arms to be compared.')
  const capital = capitalOf(study)
  const added = ({ low, high }: Band, to: bigint) => told({ low: low + to, high: high + to })
  const isFirst = gains.every((one) => one === best || one.high < best.low)
  const order = isFirst
    ? `${best.label} held most value: ${whole(capital)} WETH became ${added(best, capital)}.`
    : 'Which arm held most value depends on what traders would have done.'
  return [
    'What came out',
    `  ${order}`,
    ...(isFirst && best !== hold
      ? [
          `  That is ${added(best, -hold.high)} WETH more than holding, and at least ${whole(best.low - second.high)} more than ${second.label}.`,
          `  Of it ${told(best.parts[0])} is from beginning with another mix of the two tokens, ${told(best.parts[1])} from moving along`,
          `  the curve, ${told(best.parts[2])} from fees.`,
        ]
      : []),
    '  Each band reaches from one assumption on the traders to the other: they bring the same input as in',
    '  history, or trade until they have set the price that history had. One launch; not a forecast.',
  ]
}

const told = ({ low, high }: Band) =>
  whole(low) === whole(high) ? whole(low) : `${whole(low)} to ${whole(high)}`

function figures({ observation, study }: Found): string[] {
  const { metrics, state } = observation.payload
  const deepest = metrics.depth.reduce(
    (most, { quote }) => (BigInt(quote) > most ? BigInt(quote) : most),
    1n,
  )
  const depth = metrics.depth.map(({ bandPips, side, quote }) => {
    const share = Number((BigInt(quote) * 1000n) / deepest) / 1000
    const distance = `${side === 'BUY' ? '+' : '-'}${bandPips / 10_000} %`
    return `  ${distance.padStart(6)}  ${bar(share, 32)}  ${whole(BigInt(quote))} WETH`
  })
  return [
    `Gain in WETH of 10,000 ENS and 100 WETH, together ${whole(capitalOf(study))}, from the first price on`,
    `  ${'arm'.padEnd(16)} ${'traders'.padEnd(16)} ${'gain'.padStart(8)} ${'fees'.padStart(8)} ${'loss'.padStart(8)} ${'in range'.padStart(9)}`,
    ...replayedArms(study).map((arm) => {
      const { net, fees, divergenceLoss } = arm.waterfallHolder
      const inRange =
        arm.timeInRangePips === null ? '–' : `${(arm.timeInRangePips / 10_000).toFixed(1)} %`
      const amounts = [net, fees, divergenceLoss].map((atoms) => whole(BigInt(atoms)).padStart(8))
      const traders = arm.flowModel === 'PRICE_SETTING' ? 'set the price' : 'bring the same'
      return `  ${labelOf(study, arm.armId).padEnd(16)} ${traders.padEnd(16)} ${amounts.join(' ')} ${inRange.padStart(9)}`
    }),
    '',
    `Depth of the pool at block ${state.at.number}, at ${whole(BigInt(metrics.midX18 ?? 0), 6)} WETH per ENS`,
    ...depth,
  ]
}

/** The arms that were asked for, under both assumptions; benchmarks run beside them. */
function replayedArms({ payload }: StudyRecord) {
  return (payload.result?.arms ?? []).flatMap((arm) =>
    'flowModel' in arm && !arm.armId.startsWith('benchmark-') ? [arm] : [],
  )
}

function gainsOf(study: StudyRecord): Gain[] {
  const byArm = Map.groupBy(replayedArms(study), ({ armId }) => armId)
  return [...byArm].map(([armId, arms]) => {
    const lines = arms.map(({ waterfallHolder }) => waterfallHolder)
    return {
      ...{ armId, label: labelOf(study, armId) },
      ...bandOf(lines.map(({ net }) => BigInt(net))),
      parts: [
        bandOf(lines.map(({ exposureDrift }) => BigInt(exposureDrift))),
        bandOf(lines.map(({ divergenceLoss }) => -BigInt(divergenceLoss))),
        bandOf(lines.map(({ fees }) => BigInt(fees))),
      ],
    }
  })
}

function bandOf(amounts: readonly bigint[]): Band {
  const [low, ...others] = amounts.toSorted((a, b) => (a < b ? -1 : 1))
  if (low === undefined) throw new Error('An arm has no figures.')
  return { low, high: others.at(-1) ?? low }
}

const labelOf = ({ payload }: StudyRecord, id: string) =>
  payload.spec.arms.find(({ armId }) => armId === id)?.label ?? id

/** What was put in, at the first price. */
function capitalOf({ payload: { spec, result } }: StudyRecord): bigint {
  const { base, quote } = spec.capital
  return BigInt(quote) + (BigInt(base) * BigInt(result?.startPriceX18 ?? 0)) / X18
}
