import { checkStrategy } from '../strategy/check-strategy.ts'
import type { StrategyDefinition } from '../strategy/definition.ts'

/** Values that one member of a definition is tried with. */
export interface GridAxis {
  /** Members and places from the definition inwards: `positions.0.template.lowerPips`. */
  readonly path: string
  /** Written as text, read as what the member is: a whole number, an amount, a word or true and false. */
  readonly values: readonly string[]
}

/** One point of a grid. */
export interface GridPoint {
  /** Value per path. */
  readonly choice: Readonly<Record<string, string>>
  readonly definition: StrategyDefinition
}

/** Most points of a grid. */
export const MOST_POINTS = 256

/**
 * All combinations of the values, the last axis changing fastest. Excludes combinations that are no
 * valid strategy in any market.
 *
 * @returns the points, and the number of excluded ones
 * @throws GridError for more than 256 points, an unknown path or a value of another type
 */
export function strategyGrid(
  definition: StrategyDefinition,
  axes: readonly GridAxis[],
): { readonly points: GridPoint[]; readonly leftOut: number } {
  const count = axes.reduce((product, { values }) => product * values.length, 1)
  if (count < 1 || count > MOST_POINTS) throw new GridError({ fault: `a grid of ${count} points` })
  if (new Set(axes.map(({ path }) => path)).size !== axes.length) {
    throw new GridError({ fault: 'a duplicate path' })
  }
  const all = Array.from({ length: count }, (_, index) => pointAt(definition, axes, index))
  const points = all.filter((point) => checkStrategy(point.definition).length === 0)
  return { points, leftOut: count - points.length }
}

function pointAt(
  definition: StrategyDefinition,
  axes: readonly GridAxis[],
  index: number,
): GridPoint {
  let rest = index
  const places: number[] = []
  for (const { values } of axes.toReversed()) {
    places.unshift(rest % values.length)
    rest = Math.floor(rest / values.length)
  }
  let changed: unknown = definition
  const choice: Record<string, string> = {}
  for (const [axis, { path, values }] of axes.entries()) {
    // A place per axis, below its number of values.
    const value = values[places[axis]!]!
    choice[path] = value
    changed = replaced(changed, path.split('.'), value, path)
  }
  // Each member was replaced by one with the same type, so the result is still a definition.
  return { choice, definition: changed as StrategyDefinition }
}

/** A copy of a node with one nested member replaced. */
function replaced(node: unknown, steps: readonly string[], text: string, path: string): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return readAs(node, text, path)
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) {
    throw new GridError({ fault: `an unknown path, ${path}` })
  }
  if (Array.isArray(node)) {
    return node.map((item, place) =>
      `${place}` === step ? replaced(item, rest, text, path) : item,
    )
  }
  // The member is one of the node's own.
  const member = (node as Record<string, unknown>)[step]
  return { ...node, [step]: replaced(member, rest, text, path) }
}

function readAs(current: unknown, text: string, path: string): unknown {
  const isWhole = /^-?(0|[1-9][0-9]*)$/.test(text)
  switch (typeof current) {
    case 'number':
      if (isWhole && Number.isSafeInteger(Number(text))) return Number(text)
      break
    case 'bigint':
      if (isWhole) return BigInt(text)
      break
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      break
    case 'string':
      return text
  }
  throw new GridError({ fault: `an invalid value, ${text} at ${path}` })
}

/** The grid cannot be laid over the definition. */
export class GridError extends RangeError {
  constructor(facts: { fault: string }) {
    super(`a parameter search over ${facts.fault}`)
    this.name = 'GridError'
  }
}
