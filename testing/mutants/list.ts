import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parses } from './operators.ts'

/** A change of one line that a test must notice. */
export interface Mutant {
  /** Path from the root of the repository. */
  readonly file: string
  /** The original line without its indentation. The mutant is found by this text, wherever the line has moved. */
  readonly line: string
  /** Which of several equal lines of the file, from 1; absent if the line is unique. */
  readonly occurrence?: number
  readonly replacement: string
  /** `audit`: survived every suite once. `seed`: drawn by a seed. `promise`: a text promises safety there. */
  readonly kind: 'audit' | 'seed' | 'promise'
  readonly operator: string
  /** The sentence of a comment or a page that the mutant breaks. */
  readonly promise?: string
  /** Path of the test file that fails; null as long as none is known. */
  readonly killedBy: string | null
}

/** A mutant that changes no behavior, with the reason. */
export type Equivalent = Omit<Mutant, 'killedBy'> & { readonly why: string }

export interface MutantList {
  /** The seed and the number of draws behind the mutants of kind `seed`. */
  readonly seed: number
  readonly mutants: readonly Mutant[]
  readonly equivalent: readonly Equivalent[]
}

const listFile = join(import.meta.dirname, 'mutants.json')

export const readList = (): MutantList => JSON.parse(readFileSync(listFile, 'utf8')) as MutantList

export const writeList = (list: MutantList): void =>
  writeFileSync(listFile, `${JSON.stringify(list, null, 2)}\n`)

type Change = Pick<Mutant, 'file' | 'line' | 'occurrence' | 'replacement'>

/** True if both change the same line in the same way. */
export const isSame = (a: Change, b: Change): boolean =>
  a.file === b.file &&
  a.line === b.line &&
  a.replacement === b.replacement &&
  (a.occurrence ?? 1) === (b.occurrence ?? 1)

/**
 * Applies a mutant to the text of its file.
 *
 * @returns null if the mutant is stale: its line is gone or no longer unique
 */
export function mutate(
  text: string,
  { file, line, occurrence, replacement }: Change,
): string | null {
  const lines = text.split('\n')
  const places = lines.flatMap((one, index) => (one.trim() === line ? [index] : []))
  const place = places[(occurrence ?? 1) - 1]
  const isUnique = places.length === 1 || occurrence !== undefined
  if (place === undefined || !isUnique) return null
  const found = lines[place]!
  lines[place] = found.slice(0, found.length - found.trimStart().length) + replacement
  const mutated = lines.join('\n')
  if (!parses(file, mutated)) throw new Error(`The mutant does not parse: ${file}: ${replacement}`)
  return mutated
}
