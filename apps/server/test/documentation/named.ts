/** One call of `liquidity` in a shell script. */
export interface NamedCommand {
  /** The words in front of the first option or quoted argument. */
  readonly words: readonly string[]
  readonly options: readonly string[]
}

/**
 * Paths below `$API` in a shell script, without queries; `$` represents text that the shell
 * computes.
 */
export function operationPathsOf(script: string): string[] {
  return [...withoutSubstitutions(script).matchAll(/\$API(\/[^\s"'?)\\]*)/g)].map(([, path = '']) =>
    path.replace(/\$(\{[^}]*\}|\w+)/g, '$'),
  )
}

/** All calls of `npx liquidity` in a shell script. */
export function commandsOf(script: string): NamedCommand[] {
  const whole = script.replace(/\\\n/g, ' ')
  return [...whole.matchAll(/npx liquidity ([^|;&<>)\n]*)/g)].map(([, text = '']) => {
    // Ignore quoted arguments: text in them is neither a command word nor an option.
    const tokens = text
      .replace(/"[^"]*"|'[^']*'/g, '""')
      .trim()
      .split(/\s+/)
    const end = tokens.findIndex((token) => !/^[a-z][a-z-]*$/.test(token))
    return {
      words: end < 0 ? tokens : tokens.slice(0, end),
      options: tokens
        .filter((token) => /^--?[a-z]/.test(token))
        .map((token) => token.split('=')[0] ?? token),
    }
  })
}

/** The script with each `$(…)` replaced by `$`; the inner commands are appended. */
function withoutSubstitutions(script: string): string {
  let outside = ''
  const inside: string[] = []
  for (let index = 0; index < script.length; index++) {
    if (!script.startsWith('$(', index)) {
      outside += script[index]
      continue
    }
    const end = endOf(script, index + 1)
    inside.push(withoutSubstitutions(script.slice(index + 2, end)))
    outside += '$'
    index = end
  }
  return [outside, ...inside].join('\n')
}

/** Index of the parenthesis that closes the one at `open`; the end of the script if none does. */
function endOf(script: string, open: number): number {
  let depth = 0
  for (let index = open; index < script.length; index++) {
    if (script[index] === '(') depth++
    if (script[index] === ')') depth--
    if (depth === 0) return index
  }
  return script.length
}
