import type { contract } from '@liquidity-os/contract'
import type { ChartTerms } from '@liquidity-os/drawing'
import { decimalText } from '../../../reports/cell-text.ts'
import { annualRatesText, labelOf } from '../study-reports/api.ts'

export type Shared = contract.SharedSimulationStudy
export type SharedReplayedArm = Extract<Shared['results'][number], { flowModel: string }>
export type SharedSimulatedArm = Exclude<Shared['results'][number], { flowModel: string }>

export const isReplayed = (arm: Shared['results'][number]): arm is SharedReplayedArm =>
  'flowModel' in arm

export const replayedArms = ({ results }: Shared): SharedReplayedArm[] => results.filter(isReplayed)

export const simulatedArms = ({ results }: Shared): SharedSimulatedArm[] =>
  results.filter((arm): arm is SharedSimulatedArm => !isReplayed(arm))

/** The candidates in order, benchmarks last. */
export function sharedArms({ arms, results }: Shared) {
  const ids = [...new Set([...arms, ...results].map(({ armId }) => armId))]
  return ids.map((armId) => ({ armId, label: labelOf(armId, arms) }))
}

/** Decimals to print millionths of the capital in %. */
const percentDecimals = 4

/** Chart units: atoms are shown as tokens, millionths of the capital as %. */
export function sharedTerms(shared: Shared): ChartTerms & { readonly amountWords: string } {
  const { unit, decimals } = shared
  // The only chart that depends on the token order shows ticks of the market, and is never shared.
  const common = { arms: sharedArms(shared), isBaseFirst: true }
  return unit === 'ATOMS'
    ? {
        ...common,
        amountWords: 'quote tokens',
        baseDecimals: decimals.base,
        quoteDecimals: decimals.quote,
      }
    : {
        ...common,
        amountWords: '% of the initial capital',
        baseDecimals: percentDecimals,
        quoteDecimals: percentDecimals,
      }
}

/** State label, without an overstated claim. */
export function sharedState({ state, assessesMarketHealth }: Shared): string {
  return `${state}${assessesMarketHealth ? '' : ' · does not assess market health'}`
}

export function sharedFacts(shared: Shared): [string, string][] {
  const { organization, venue, capital, startPriceX18, endPriceX18, decimals, fidelity } = shared
  const price = (value: string) => decimalText(BigInt(value), 18 + decimals.quote - decimals.base)
  const terms = sharedTerms(shared)
  return known([
    ['by', organization?.name ?? null],
    ['venue', venue && `${venue.name}, ${venue.kind}, ${venue.address} on chain ${venue.chainId}`],
    [
      'capital',
      capital && shared.unit === 'ATOMS'
        ? `${decimalText(BigInt(capital.base), terms.baseDecimals)} base and ${decimalText(BigInt(capital.quote), terms.quoteDecimals)} quote tokens`
        : 'not disclosed',
    ],
    ['start price', startPriceX18 && `${price(startPriceX18)} quote tokens per base token`],
    ['end price', endPriceX18 && `${price(endPriceX18)} quote tokens per base token`],
    [
      'exact replay',
      fidelity && `${fidelity.eventsExact} of ${fidelity.eventsReplayed} recorded events`,
    ],
    ['amounts', terms.amountWords],
    ['annual rates', annualRatesOf(shared)],
    ['computed', shared.computedAt],
    ['available until', shared.expiresAt],
  ])
}

/** Why the candidates have no annual rates; null if they have them or no figures at all. */
function annualRatesOf({ verdict, results }: Shared): string | null {
  const withheld = verdict?.annualRatesWithheld
  if (results.length === 0 || withheld === undefined) return null
  return annualRatesText({ annualRatesWithheld: withheld })
}

export function sharedProof(shared: Shared): [string, string][] {
  const { resourceVersion, resultHash, parity, engine, gaps } = shared
  return known([
    ['version', resourceVersion],
    ['result', resultHash],
    ['engine vs deployed bytecode', parity && `${parity.verdict}: ${parity.basis}`],
    ['engine', engine && `${engine.engineVersion}, build ${engine.engineBuildHash}`],
    ['gaps', gaps.length === 0 ? 'no known gaps' : gaps.join(', ')],
  ])
}

const known = (pairs: readonly [string, string | null][]) =>
  pairs.flatMap(([term, text]) => (text === null ? [] : [[term, text] as [string, string]]))
