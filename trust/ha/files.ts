import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The files of `deploy/ha` that an operator copies. */
export const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../deploy/ha/${name}`, import.meta.url))

/**
 * Variables of a file of `deploy/ha`, with those of this place in the stead of its own.
 *
 * @throws Error where one is given that the file does not have, or one is left that says an address, a directory or a password of
 *         the example: what runs is what an operator copies, somewhere else
 */
export function settingsOf(
  name: string,
  here: Readonly<Record<string, string>>,
): Record<string, string> {
  const written = Object.fromEntries(
    readFileSync(pathOf(name), 'utf8')
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const unknown = Object.keys(here).filter((variable) => !(variable in written))
  if (unknown.length > 0) throw new Error(`${name} does not say ${unknown.join(', ')}.`)
  const ofExample = Object.keys(written).filter(
    (variable) => !(variable in here) && /^$|^\/|\d\.\d/.test(written[variable] ?? ''),
  )
  if (ofExample.length > 0) throw new Error(`${name}: ${ofExample.join(', ')} must be said.`)
  return { ...written, ...here }
}

/**
 * The text of a file of `deploy/ha` with passages of this place in the stead of its own.
 *
 * @throws Error where the file does not have a passage exactly once
 */
export function rewritten(name: string, passages: Readonly<Record<string, string>>): string {
  let text = readFileSync(pathOf(name), 'utf8')
  for (const [passage, here] of Object.entries(passages)) {
    const parts = text.split(passage)
    if (parts.length !== 2) throw new Error(`${name} does not say ${passage} once.`)
    text = parts.join(here)
  }
  return text
}
