import type { Writable } from 'node:stream'

/** Prints a result as lines for people, or as one JSON object for programs. */
export function print<T>(
  stdout: Writable,
  options: { json?: boolean },
  result: T,
  lines: (result: T) => readonly string[],
): void {
  const text = options.json ? JSON.stringify(result) : lines(result).join('\n')
  stdout.write(`${text}\n`)
}
