import type { contract } from '@liquidity-os/contract'
import type { LaunchChain } from './launch-chain.ts'
import type { ObservationRecord, StudyRecord, VenueRecord } from './resources.ts'

interface Found {
  launch: Pick<LaunchChain, 'recorded' | 'recording'>
  venue: VenueRecord
  observation: ObservationRecord
  study: StudyRecord
  verdict: contract.StudyVerdict
}

const bar = (share: number, width: number) =>
  '█'.repeat(Math.round(share * width)).padEnd(width, '·')

/**
 * An amount in whole tokens with `digits` decimals, rounded half away from zero. For display only;
 * the record has the atoms.
 */
function whole(atoms: bigint, digits: number): string {
  const unit = 10n ** BigInt(18 - digits)
  const size = atoms < 0n ? -atoms : atoms
  const text = `${(2n * size + unit) / (2n * unit)}`.padStart(digits + 1, '0')
  const integer = BigInt(text.slice(0, -digits)).toLocaleString('en-US')
  const sign = atoms < 0n && /[1-9]/.test(text) ? '-' : ''
  return `${sign}${integer}.${text.slice(-digits)}`
}

/** Percentage with one decimal, rounded half away from zero. */
function percent(pips: number): string {
  const tenths = Math.round(Math.abs(pips) / 1000)
  return `${pips < 0 && tenths > 0 ? '-' : ''}${Math.floor(tenths / 10)}.${tenths % 10}`
}

/** Results of the demo as some lines of a terminal: the market, the verdict, and the figures behind it. */
export function firstScreen(found: Found): string {
  const { study, verdict } = found
  const parts = [subject(found), wrapped(verdict.sentence), results(study, verdict), depth(found)]
  return ['', ...parts.flatMap((lines) => [...lines, ''])].join('\n')
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
    `Tokens  ENS ${pair.base}, and WETH ${pair.quote} (the unit of all amounts)`,
    `Blocks  ${first.blockNumber} to ${last.blockNumber} of Ethereum, ${time(first.timestamp)} to ${time(last.timestamp)} UTC, here ${range.from.number} to ${range.to.number}`,
    `Replay  ${exact(swaps)} recorded swaps and ${exact(liquidityChanges)} liquidity changes exact, none of our own`,
  ]
}

/** A text in lines of at most 100 characters. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > 100) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

const columns = ['Position', 'Flow model', 'Fees', 'IL', 'vs HODL', '% of capital', 'In range']
const widths = [15, 16, 9, 9, 10, 14, 10]

/** Each position that provides liquidity under each flow model, as the verdict has it. */
function results({ payload }: StudyRecord, { arms, inventory, withheld }: contract.StudyVerdict) {
  if (withheld !== null || !inventory.valueQuote) return ['No results: the study gives no figures.']
  const rows = arms
    .filter(({ isBenchmark }) => !isBenchmark)
    .flatMap(({ label, runs }) =>
      runs.map((run) => [
        label,
        run.flowModel === 'PRICE_SETTING' ? '  Price-matching' : '  Fixed flow',
        whole(BigInt(run.feesQuote), 2),
        whole(BigInt(run.ilQuote), 2),
        whole(BigInt(run.netVsHodlQuote), 2),
        percent(run.netVsHodlPips),
        run.inRangePips === null ? '–' : `${percent(run.inRangePips)} %`,
      ]),
    )
  // The reference of each position: HODL of its inventory, which earns and loses nothing vs itself.
  const hodl = ['HODL', '  –', whole(0n, 2), whole(0n, 2), whole(0n, 2), percent(0), '–']
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('')
  const [name = '', model = '', ...figures] = columns
  return [
    'LP positions vs HODL of the same starting inventory, in WETH',
    `  Capital: ${whole(BigInt(inventory.valueQuote), 2)} WETH, converted to the ratio of each position. Price: ${priceChange(payload.result)} %. Gas: ${gasOf(payload.result)}.`,
    '',
    `  ${line([name, `  ${model}`, ...figures])}`,
    ...[hodl, ...rows].map((cells) => `  ${line(cells)}`),
  ]
}

type Result = StudyRecord['payload']['result']

/** From the first price of the study to the last. */
function priceChange(result: Result): string {
  const [start, end] = [BigInt(result?.startPriceX18 ?? 0), BigInt(result?.endPriceX18 ?? 0)]
  if (start === 0n) throw new Error('The study has no start price.')
  const pips = Number(((end - start) * 1_000_000n) / start)
  return `${pips > 0 ? '+' : ''}${percent(pips)}`
}

function gasOf(result: Result): string {
  const gas = result?.evidence.assumptions.find(({ code }) => code === 'GAS')?.value
  return gas === 'NOT_CHARGED' ? 'not charged' : (gas ?? 'unknown')
}

function depth({ observation }: Found): string[] {
  const { metrics, state } = observation.payload
  const deepest = metrics.depth.reduce(
    (max, { quote }) => (BigInt(quote) > max ? BigInt(quote) : max),
    1n,
  )
  const bands = metrics.depth.map(({ bandPips, side, quote }) => {
    const share = Number((BigInt(quote) * 1000n) / deepest) / 1000
    const distance = `${side === 'BUY' ? '+' : '-'}${bandPips / 10_000} %`
    return `  ${distance.padStart(6)}  ${bar(share, 32)}  ${whole(BigInt(quote), 3)} WETH`
  })
  return [
    `Pool depth at block ${state.at.number}, at ${whole(BigInt(metrics.midX18 ?? 0), 6)} WETH per ENS`,
    ...bands,
  ]
}
