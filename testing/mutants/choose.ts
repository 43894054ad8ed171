import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSame, type Mutant, type MutantList, mutate } from './list.ts'
import { type Edit, findEdits } from './operators.ts'

const sources = ['packages/*/src/**/*.ts', 'apps/server/src/**/*.ts']
const isOutside = (file: string) =>
  /\.test\.ts$|\.d\.ts$|\/(testing|test|generated|vendored|vendor)\//.test(file)

/**
 * Adds mutants to the list until it holds `count` of a seed. A file is drawn by its number of lines, then one of
 * its edits. Equivalent mutants are passed over, so that the next one of the seed takes their place.
 */
export function choose(root: string, list: MutantList, seed: number, count: number): MutantList {
  const files = globSync(sources, { cwd: root })
    .filter((file) => !isOutside(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const ends: number[] = []
  for (const { text } of files) ends.push((ends.at(-1) ?? 0) + text.split('\n').length)
  const total = ends.at(-1) ?? 0
  const draw = draws(seed)
  const found: Mutant[] = []
  while (found.length < count) {
    const line = draw(total)
    const { file, text } = files[ends.findIndex((end) => line < end)]!
    const edits = findEdits(file, text)
    const chosen = draw(Math.max(1, edits.length))
    const edit = edits[chosen]
    if (!edit) continue
    const mutant = mutantOf(file, text, edit)
    const isPassed = [...list.equivalent, ...found].some((one) => isSame(one, mutant))
    if (!isPassed) found.push(mutant)
  }
  const isKnown = (mutant: Mutant) => list.mutants.some((one) => isSame(one, mutant))
  return {
    seed,
    equivalent: list.equivalent,
    mutants: [...list.mutants, ...found.filter((mutant) => !isKnown(mutant))],
  }
}

/** Integers below a limit, which a seed repeats. */
function draws(seed: number): (limit: number) => number {
  let counter = 0
  return (limit) => {
    const digest = createHash('sha256').update(`${seed} ${counter}`).digest()
    counter += 1
    return Number(digest.readBigUInt64BE() % BigInt(limit))
  }
}

function mutantOf(file: string, text: string, { operator, start, end, text: to }: Edit): Mutant {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const until = lineEnd < 0 ? text.length : lineEnd
  const line = text.slice(from, until).trim()
  const replacement = `${text.slice(from, start)}${to}${text.slice(end, until)}`.trim()
  const lines = text.split('\n').map((one) => one.trim())
  const equals = lines.flatMap((one, index) => (one === line ? [index] : []))
  const own = text.slice(0, from).split('\n').length - 1
  const change = {
    file,
    line,
    ...(equals.length > 1 ? { occurrence: equals.indexOf(own) + 1 } : {}),
    replacement,
  }
  if (mutate(text, change) === null) throw new Error(`${file}: ${line} is not found again.`)
  return { ...change, kind: 'seed', operator, killedBy: null }
}
