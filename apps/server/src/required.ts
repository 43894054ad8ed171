/**
 * Asserts that a value exists, such as the element of a parallel list. A missing value is a bug. An
 * empty text would hide it.
 *
 * @param what name for the error
 */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`Missing ${what}.`)
  return value
}
