/** Result of a check, as the verification page sends it. */
export interface CheckResult {
  readonly pass: number
  readonly fail: number
  /** Codes of the checks that need more than the bundle. */
  readonly notChecked: readonly string[]
  readonly integrity: Outcome
  readonly authority: Outcome
  readonly freshness: Outcome
  readonly status: Outcome
}
type Outcome = 'FAIL' | 'NOT_CHECKED' | 'PASS'

const outcomes: ReadonlySet<unknown> = new Set(['FAIL', 'NOT_CHECKED', 'PASS'])
const isCount = (value: unknown): value is number => Number.isSafeInteger(value)

/** The result in a message; null for another message. */
export function parseResult(message: unknown): CheckResult | null {
  if (typeof message !== 'object' || message === null) return null
  const { type, pass, fail, notChecked, ...kinds } = message as Record<string, unknown>
  const { integrity, authority, freshness, status } = kinds
  const isResult =
    type === 'result' &&
    isCount(pass) &&
    isCount(fail) &&
    Array.isArray(notChecked) &&
    notChecked.every((code) => typeof code === 'string') &&
    [integrity, authority, freshness, status].every((one) => outcomes.has(one))
  return isResult ? (message as CheckResult) : null
}

/**
 * Checks that need something from outside the bundle, in its words. The other open checks rest on the
 * issuer key, or are stated by the verification page.
 */
const outsideSubjects: Readonly<Record<string, string>> = {
  B5: 'issuer key',
  B8: 'earlier log',
  B9: 'witness',
  B12: 'chain',
}

const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})

interface Passport {
  /** State of the record. */
  readonly state: string
  readonly validUntil: string
}

/** State of a passport in one word, by the service. */
export function stateWord({ state, validUntil }: Passport, now: number): string {
  if (state === 'REVOKED') return 'Revoked'
  return state === 'EXPIRED' || Date.parse(validUntil) <= now ? 'Expired' : 'Valid'
}

/** `Valid · 32 checks passed · issuer key and chain not checked · expires Dec 5, 2026`. */
export function passportLine(passport: Passport, result: CheckResult | null, now: number): string {
  const word = stateWord(passport, now)
  const ends = `${word === 'Expired' ? 'expired' : 'expires'} ${day.format(Date.parse(passport.validUntil))}`
  if (result === null) return [word, 'not checked here yet', ends].join(' · ')
  const { pass, fail, notChecked } = result
  const subjects = notChecked.flatMap((code) => outsideSubjects[code] ?? [])
  return [
    fail > 0 ? 'Do not rely on it' : word,
    ...(fail > 0 ? [`${fail} ${fail === 1 ? 'check' : 'checks'} failed`] : []),
    `${pass} checks passed`,
    ...(subjects.length > 0 ? [`${listed.format(subjects)} not checked`] : []),
    ends,
  ].join(' · ')
}

const listed = new Intl.ListFormat('en', { style: 'long', type: 'conjunction' })
