import type { contract } from '@liquidity-os/contract'
import { decimalOf, printValue } from '@liquidity-os/drawing'
import { assetWords } from '../../../market/treasury/asset-words.ts'

/** A record of assumptions: the part that charts use. */
export type DrawnAssumptions = Pick<
  contract.TreasuryAssumptions,
  'assumptions' | 'assets' | 'changes'
>
export type Line = contract.TreasuryAssumptionLine
export type Scenario = contract.TreasuryScenario
type Change = DrawnAssumptions['changes'][number]

/** Change of an element since the previous version. */
export type Fate = 'ADDED' | 'CHANGED' | 'REMOVED' | 'KEPT'

/** One element of a set with its change state. */
export interface Element<T> {
  readonly value: T
  readonly fate: Fate
  /** Changed members: path below the element, and old value. */
  readonly moved: readonly { readonly path: string; readonly from: unknown }[]
}

/** Current elements of a set, followed by removed ones. */
export function elementsOf<T>(
  changes: readonly Change[],
  set: string,
  now: readonly T[],
  nameOf: (value: T) => string,
): Element<T>[] {
  const setChanges = changes.flatMap(({ path, from, to }) => {
    const [of = '', name = '', ...below] = segmentsOf(path)
    return of === set ? [{ name, path: below.join('.'), from, to }] : []
  })
  const current = now.map((value): Element<T> => {
    const own = setChanges.filter(({ name }) => name === nameOf(value))
    const isNew = own.some(({ path, from }) => path === '' && from === null)
    const fate = isNew ? 'ADDED' : own.length > 0 ? 'CHANGED' : 'KEPT'
    return { value, fate, moved: isNew ? [] : own }
  })
  const gone = setChanges
    .filter(({ path, to }) => path === '' && to === null)
    // The cast is safe: the service wrote the change from an element of the set.
    .map(({ from }): Element<T> => ({ value: from as T, fate: 'REMOVED', moved: [] }))
  return [...current, ...gone]
}

/** Changed members of the set itself, with old values. */
export function ownMoves(changes: readonly Change[]): { path: string; from: unknown }[] {
  return changes.flatMap(({ path, from }) => {
    const segments = segmentsOf(path)
    const [first] = segments
    return first === 'lines' || first === 'scenarios' ? [] : [{ path: segments.join('.'), from }]
  })
}

const segmentsOf = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Amount in whole units, or in atoms if the decimals are unknown. */
export function amountWords(
  { assets }: DrawnAssumptions,
  assetKey: string,
  atoms: string | bigint,
): string {
  const known = assets.find((one) => one.assetKey === assetKey)
  const units = Number(decimalOf(atoms, known?.decimals ?? 0))
  return `${printValue(units)} ${known ? '' : 'atoms of '}${assetWords(assetKey)}`
}

/**
 * Old value on one line.
 *
 * @param amountKey asset of the member `amount` or `minimumCashQuote`
 */
export function movedWords(
  drawn: DrawnAssumptions,
  moved: Element<unknown>['moved'],
  amountKey?: string,
): string {
  const words = moved.map(({ path, from }) => {
    const isAmount = path === 'amount' || path === 'minimumCashQuote'
    const label =
      isAmount && amountKey && typeof from === 'string'
        ? amountWords(drawn, amountKey, from)
        : valueWords(path, from)
    return `${path} was ${label}`
  })
  return words.join('; ')
}

function valueWords(path: string, value: unknown): string {
  if (value === null) return 'absent'
  if (path.endsWith('Pips') && typeof value === 'number') return `${value / 10_000} %`
  return typeof value === 'object' ? JSON.stringify(value).replaceAll('"', '') : String(value)
}

/** Millionths as a percentage with its sign. */
export const signedPercent = (pips: number): string =>
  `${pips > 0 ? '+' : ''}${printValue(pips / 10_000)} %`
