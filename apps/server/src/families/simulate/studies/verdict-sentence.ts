import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { daySeconds, hourSeconds, minuteSeconds } from '../../../units.ts'

type Arm = contract.StudyVerdictArm

export interface VerdictInput {
  readonly code: contract.StudyVerdict['code']
  readonly withheld: contract.StudyVerdict['withheld']
  /** The candidates that provide liquidity, best first. */
  readonly positions: readonly Arm[]
  readonly windowSeconds: number | null
  readonly kind: contract.StudySpec['kind']
  readonly result: Pick<contract.StudyResult, 'state' | 'reasons' | 'paths'> | null
}

/** Text of the verdict. Only a candidate with a gain is called best. */
export function sentenceOf(input: VerdictInput): string {
  const { result, withheld } = input
  const why = result && result.reasons.length > 0 ? ` (${result.reasons.join(', ')})` : ''
  if (withheld !== null) return cut(withheldWords[withheld].replace('{why}', why))
  const partial = result?.state === 'PARTIAL' ? `Partial${why}. ` : ''
  return cut(`${partial}${outcomeText(input)} ${basisText(input)}`)
}

const withheldWords = {
  NOT_ENDED: 'No verdict yet: the study has not ended.',
  FAILED: 'No verdict: the study failed.',
  ABSTAINED: 'Withheld{why}: the study gives no figures for any candidate.',
  NO_START_PRICE: 'No verdict: the capital has no value at the start.',
  NO_START_INVENTORY:
    'No verdict: the result does not contain the starting inventory of a strategy. Run the study again; a simulation also needs base in its capital.',
  NO_POSITIONS: 'No verdict: no candidate provides liquidity.',
} as const

const cut = (text: string) =>
  text.length <= limits.detailCharacters ? text : `${text.slice(0, limits.detailCharacters - 1)}…`

function outcomeText({ code, positions }: VerdictInput): string {
  const [best] = positions
  if (!best) throw new Error('The verdict has no position.')
  const name = `“${best.label}”`
  const result = percentRange(best.netVsHodlPips)
  const own = 'vs HODL of its starting inventory'
  switch (code) {
    case 'ALL_BELOW_HODL':
      return `${lostText(positions.length, name)}: ${result} of the capital.${coveredText(best)}`
    case 'ONE_BEST':
      return positions.length === 1
        ? `${name} gained ${result} of the capital ${own}.`
        : `${name} did best: ${result} of the capital ${own}.`
    case 'BEST_TIED':
      return `${name} gained ${result} of the capital ${own}. Its lead over the other positions is not clear.`
    default:
      return positions.length === 1
        ? `${name} shows no clear difference ${own}: ${result} of the capital.`
        : `No position shows a clear gain vs HODL of its starting inventory. ${name} ranks first: ${result} of the capital.`
  }
}

function lostText(count: number, best: string): string {
  if (count === 1) return `${best} lost vs HODL of its starting inventory`
  const all = count === 2 ? 'Both positions' : `All ${count} positions`
  return `${all} lost vs HODL of the same starting inventory. ${best} lost least`
}

/**
 * Share of the impermanent loss that fees covered; empty for a position without impermanent loss.
 */
function coveredText({ runs }: Arm): string {
  const shares = runs.flatMap(({ feesQuote, ilQuote }) => {
    const loss = -BigInt(ilQuote)
    return loss > 0n ? [Number((BigInt(feesQuote) * 1000n) / loss)] : []
  })
  if (shares.length === 0) return ''
  // Never rounds a partial cover up to 100 %.
  const [low, high] = [Math.min(...shares), Math.max(...shares)].map((share) =>
    share < 1000 ? Math.min(99, Math.round(share / 10)) : Math.floor(share / 10),
  )
  const covered = low === high ? `${low} %` : `${low} to ${high} %`
  return ` Its fees covered ${covered} of its impermanent loss.`
}

function basisText({ kind, windowSeconds, result }: VerdictInput): string {
  if (kind === 'REPLAY') {
    const span = windowSeconds === null ? 'Replay' : `Replay of ${durationText(windowSeconds)}`
    return `${span}: one history, so no claim of significance.`
  }
  if (result?.paths?.varies === false) return 'A single path, so no claim of significance.'
  return `Interval of the mean over ${result?.paths?.run} paths, with at least 95 % coverage.`
}

/** A duration in the largest unit with a count of at least three, rounded down. */
function durationText(seconds: number): string {
  const units = [
    [daySeconds, 'days'],
    [hourSeconds, 'hours'],
    [minuteSeconds, 'minutes'],
  ] as const
  const [size, name] = units.find(([length]) => seconds >= 3 * length) ?? [1, 'seconds']
  return `${Math.floor(seconds / size)} ${name}`
}

function percentRange({ low, high }: Arm['netVsHodlPips']): string {
  const [from, to] = [percentText(low), percentText(high)]
  return from === to ? `${from} %` : `${from} to ${to} %`
}

/**
 * Formats % with sign and one decimal, half away from zero. Below 0.05 % it prints all digits, so
 * that no value rounds to zero.
 */
function percentText(pips: number): string {
  const size = Math.abs(pips)
  const sign = pips === 0 ? '' : pips < 0 ? '−' : '+'
  if (size < 500) return `${sign}${size / 10_000}`
  const tenths = Math.round(size / 1000)
  return `${sign}${Math.floor(tenths / 10)}.${tenths % 10}`
}
