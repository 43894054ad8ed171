/**
 * A value that must exist, such as the element of a list at an index of another list of the same length.
 *
 * @param what names it in the error: its absence is a bug of ours, which an empty text would hide
 */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`There is no ${what}.`)
  return value
}
