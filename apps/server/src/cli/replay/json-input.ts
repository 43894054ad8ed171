import { parseWhole, ReplayInputError } from '@liquidity-os/engine/replay'

type JsonObject = Readonly<Record<string, unknown>>

/** @throws ReplayInputError unless the value is a list */
export function asList(file: string, path: string, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : fail(file, path, 'a list', value)
}

/** @throws ReplayInputError unless the value is an object */
export function asObject(file: string, path: string, value: unknown): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    // A non-array object from JSON has only string keys.
    return value as JsonObject
  }
  return fail(file, path, 'an object', value)
}

/** @throws ReplayInputError when the field is missing */
export function field(file: string, path: string, object: JsonObject, name: string): unknown {
  return object[name] ?? fail(file, `${path}.${name}`, 'a value', object[name])
}

/** @throws ReplayInputError unless the field is text */
export function text(file: string, path: string, object: JsonObject, name: string): string {
  const value = object[name]
  return typeof value === 'string' ? value : fail(file, `${path}.${name}`, 'a string', value)
}

/** @throws ReplayInputError unless the field is true or false */
export function flag(file: string, path: string, object: JsonObject, name: string): boolean {
  const value = object[name]
  return typeof value === 'boolean' ? value : fail(file, `${path}.${name}`, 'true or false', value)
}

/** A whole number as a decimal string or a JSON number of at most 2^53. @throws ReplayInputError */
export function whole(file: string, path: string, object: JsonObject, name: string): bigint {
  const value = object[name]
  const whole = typeof value === 'string' ? parseWhole(value) : null
  if (whole !== null) return whole
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  return fail(file, `${path}.${name}`, 'a whole number, as a string if above 2^53', value)
}

function fail(file: string, column: string, expected: string, value: unknown): never {
  const found = value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 60)
  throw new ReplayInputError({ file, column, expected, found })
}
