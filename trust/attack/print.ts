import type { Outcome } from './run.ts'

/** Breaches that are printed of one attack. */
const shown = 10
/** Of what came, the most frequent. */
const words = 14

const needed = {
  ADDRESS: 'an address',
  MEMBERS: 'members of two organizations',
  OWN_SERVICE: 'a service that is started here',
} as const

/** What was tried, how often, what came, and what should not have. */
export function print(outcomes: readonly Outcome[]): string {
  const lines = outcomes.flatMap(({ attack: { area, name, needs }, tally }) => {
    const head = `  ${area.padEnd(11)} ${name.padEnd(72)}`
    if (!tally) return [`${head} not tried: needs ${needed[needs]}`]
    const came = [...tally.came].toSorted(([, one], [, other]) => other - one)
    const more = came.length > words ? `, ${came.length - words} others` : ''
    const texts = came.slice(0, words).map(([word, count]) => `${word}: ${count}`)
    return [
      `${head} ${String(tally.tries).padStart(6)}  ${texts.join(', ')}${more}`,
      ...tally.breaches.slice(0, shown).map((breach) => `              BREACH ${breach}`),
    ]
  })
  const tries = outcomes.reduce((sum, { tally }) => sum + (tally?.tries ?? 0), 0)
  const breaches = breachesOf(outcomes)
  return `${lines.join('\n')}\n\ntried ${tries.toLocaleString('en')} times, breaches ${breaches}\n`
}

export const breachesOf = (outcomes: readonly Outcome[]): number =>
  outcomes.reduce((sum, { tally }) => sum + (tally?.breaches.length ?? 0), 0)
