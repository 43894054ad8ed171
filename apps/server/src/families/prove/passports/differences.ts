import type { FieldErrors } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'

/**
 * All fields that differ from the expected value, by path. Complete, so that one correction is
 * enough.
 */
export function differencesOf(expected: unknown, came: unknown, at: string): FieldErrors {
  const found: Record<string, string[]> = {}
  collect(expected, came, at, found)
  return found
}

function collect(
  expected: unknown,
  came: unknown,
  at: string,
  found: Record<string, string[]>,
): void {
  if (Object.keys(found).length >= limits.fieldErrors) return
  if (isObject(expected) && isObject(came) && Array.isArray(expected) === Array.isArray(came)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(came)])) {
      collect(expected[name], came[name], `${at}.${name}`, found)
    }
    return
  }
  if (Object.is(expected, came)) return
  found[at] = [`expected ${formatValue(expected)}, got ${formatValue(came)}`]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const formatValue = (value: unknown) =>
  value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 300)
