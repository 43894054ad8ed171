import type { contract } from '@liquidity-os/contract'
import { splitByControl } from '../treasury-entries/api.ts'
import { ladderOf } from './ladder.ts'
import type { Entry } from './read-sources.ts'

type Summary = contract.TreasurySummary
type Holding = Summary['holdings'][number]
type Values = Summary['byTier'][number]['values']

const total = (some: readonly string[]) =>
  some.reduce((sum, atoms) => sum + BigInt(atoms), 0n).toString()

/** Values by quote asset; different quotes are never added. */
function valuesOf(holdings: readonly Holding[]): Values {
  return totalsByQuote(
    holdings.flatMap(({ value, control }) =>
      value ? [{ quoteKey: value.quoteKey, amount: BigInt(value.amount), control }] : [],
    ),
  )
}

/** Sums by quote, each split by control. */
export function totalsByQuote(
  some: readonly (Pick<Holding, 'control'> & {
    readonly quoteKey: string
    readonly amount: bigint
  })[],
): Values {
  return [...Map.groupBy(some, ({ quoteKey }) => quoteKey)].map(([quoteKey, same]) => {
    const control = splitByControl(same)
    return { quoteKey, amount: control.total, control }
  })
}

const grouped = <K>(holdings: readonly Holding[], keyOf: (holding: Holding) => K) => [
  ...Map.groupBy(holdings, keyOf),
]

/** All legs of a claim belong to one entry. */
const entriesOf = (holdings: readonly Holding[]): number =>
  new Set(holdings.map(({ entry }) => entry.id)).size

/** Sums by tier, most liquid first. */
export const tierTotals = (holdings: readonly Holding[]): Summary['byTier'] =>
  grouped(holdings, ({ tier }) => tier)
    .map(([tier, some]) => ({ tier, entries: entriesOf(some), values: valuesOf(some) }))
    .toSorted((a, b) => (a.tier < b.tier ? -1 : 1))

export const purposeTotals = (holdings: readonly Holding[]): Summary['byPurpose'] =>
  grouped(holdings, ({ purpose }) => purpose).map(([purpose, some]) => ({
    purpose,
    entries: entriesOf(some),
    values: valuesOf(some),
  }))

/** Sums by asset, in atoms. */
export const totalsByAsset = (holdings: readonly Holding[]): Summary['byAsset'] =>
  grouped(holdings, ({ assetKey }) => assetKey).map(([assetKey, some]) => ({
    assetKey,
    quantity: total(some.map(({ quantity }) => quantity)),
    quantityControl: splitByControl(
      some.map(({ quantity, control }) => ({ amount: BigInt(quantity), control })),
    ),
    unrestricted: total(some.map(({ unrestricted }) => unrestricted)),
    restricted: total(some.map(({ restricted }) => restricted)),
    reserved: total(some.map(({ reserved }) => reserved)),
    values: valuesOf(some),
  }))

/** Obligations by asset and due date, in atoms. @param now milliseconds since 1970 */
export function obligationLadders(entries: readonly Entry[], now: number): Summary['obligations'] {
  const owed = entries.flatMap(({ payload }) =>
    payload.entryKind === 'OBLIGATION' ? [payload] : [],
  )
  return [...Map.groupBy(owed, ({ asset }) => asset)].map(([assetKey, some]) => ({
    assetKey,
    entries: some.length,
    ladder: ladderOf(
      some.map(({ obligation, settled }) => ({
        schedule: obligation.schedule,
        certainty: obligation.certainty,
        since: 0,
        amount: BigInt(obligation.amount),
        settled: BigInt(settled),
      })),
      now,
      (_, atoms) => atoms,
    ),
  }))
}
