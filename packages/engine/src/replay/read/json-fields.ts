import { ReplayInputError } from './input-error.ts'
import { parseWhole } from './whole-number.ts'

/** A parsed JSON object with the path that led to it, for messages. */
export interface JsonNode {
  readonly file: string
  readonly path: string
  readonly value: Readonly<Record<string, unknown>>
}

/** @throws ReplayInputError unless the value is a JSON object */
export function asNode(file: string, path: string, value: unknown): JsonNode {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return failJson(file, path === '' ? '$' : path, 'an object', value)
  }
  return { file, path, value: value as Record<string, unknown> }
}

/** The first of several names that the object has, or undefined. */
export function pick(node: JsonNode, ...names: string[]): unknown {
  for (const name of names) {
    if (node.value[name] !== undefined && node.value[name] !== null) return node.value[name]
  }
  return undefined
}

/**
 * An integer, as a decimal or hex string or a JSON number of at most 2^53. A larger JSON number has
 * already lost digits in parsing.
 *
 * @throws ReplayInputError if it is missing or something else
 */
export function readBigint(node: JsonNode, ...names: [string, ...string[]]): bigint {
  const value = pick(node, ...names)
  const whole = typeof value === 'string' ? parseWhole(value) : null
  if (whole !== null) return whole
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return failJson(
    node.file,
    `${node.path}${presentName(node, names)}`,
    'a whole number, as a string if it is above 2^53',
    value,
  )
}

/** The name that the object uses for the field; the preferred one if absent. */
function presentName(node: JsonNode, names: [string, ...string[]]): string {
  return names.find((name) => pick(node, name) !== undefined) ?? names[0]
}

/** As `readBigint`, with a default for a missing field. */
export function readBigintOr(node: JsonNode, otherwise: bigint, ...names: [string, ...string[]]) {
  return pick(node, ...names) === undefined ? otherwise : readBigint(node, ...names)
}

/** A whole number small enough for a JSON number. */
export function readInteger(node: JsonNode, ...names: [string, ...string[]]): number {
  const value = Number(readBigint(node, ...names))
  if (Number.isSafeInteger(value)) return value
  const path = `${node.path}${presentName(node, names)}`
  return failJson(node.file, path, 'a whole number of at most 2^53', value)
}

/** As `readInteger`, with a default for a missing field. */
export function readIntegerOr(
  node: JsonNode,
  otherwise: number,
  ...names: [string, ...string[]]
): number {
  return pick(node, ...names) === undefined ? otherwise : readInteger(node, ...names)
}

/** The objects of a list; a missing list is empty. */
export function readList(node: JsonNode, ...names: [string, ...string[]]): JsonNode[] {
  const value = pick(node, ...names)
  if (value === undefined) return []
  if (!Array.isArray(value)) return failJson(node.file, `${node.path}${names[0]}`, 'a list', value)
  return value.map((item, index) => asNode(node.file, `${node.path}${names[0]}[${index}].`, item))
}

/** @throws ReplayInputError always */
export function failJson(file: string, path: string, expected: string, found: unknown): never {
  const shown = found === undefined ? 'nothing' : JSON.stringify(found).slice(0, 60)
  throw new ReplayInputError({ file, column: path, expected, found: shown })
}
