/** The text before the first mark, or the whole text if it lacks the mark. */
export function textBefore(text: string, mark: string): string {
  const end = text.indexOf(mark)
  return end < 0 ? text : text.slice(0, end)
}

/** The text after the last mark, or the whole text if it lacks the mark. */
export function textAfterLast(text: string, mark: string): string {
  const begin = text.lastIndexOf(mark)
  return begin < 0 ? text : text.slice(begin + mark.length)
}

/** Converts an optional text if absent and empty mean the same, as in a printed cell. Assert other texts with `required`. */
export const textOrEmpty = (text: string | null | undefined): string => text ?? ''
