/** The part of a text before the first of some marks; the whole text if it has none. */
export function textBefore(text: string, mark: string): string {
  const end = text.indexOf(mark)
  return end < 0 ? text : text.slice(0, end)
}

/** The part of a text behind the last of some marks; the whole text if it has none. */
export function textAfterLast(text: string, mark: string): string {
  const begin = text.lastIndexOf(mark)
  return begin < 0 ? text : text.slice(begin + mark.length)
}

/**
 * An optional text where its absence reads like an empty one: in a cell that is printed, or in a comparison with texts of
 * which none is empty. A text that must exist is `required`.
 */
export const textOrEmpty = (text: string | null | undefined): string => text ?? ''
