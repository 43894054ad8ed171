/** Prints a result as lines for people, or as one JSON object for programs. */
export function print<T>(
  options: { json?: boolean },
  result: T,
  lines: (result: T) => readonly string[],
): void {
  const text = options.json ? JSON.stringify(result) : lines(result).join('\n')
  process.stdout.write(`${text}\n`)
}
